// SPDX-License-Identifier: Apache-2.0

/// What the original documentation shows.
public enum OriginalDocumentation {
    /// Its example of a request, word for word, the fragments put in where it leaves them out.
    public static let request = """
        <sendNotification>
           <notification>
              <details>
           <entry>
             <key>logo_url</key>
             <value>http://www.idamob.ru/ic.png</value>
           </entry>
           <entry>
             <key>push_description</key>
             <value>Текстовый блок с некоторым описанием</value>
           </entry>
           <entry>
             <key>name</key>
             <value>Заголовок сообщения</value>
           </entry>
           <entry>
             <key>currency</key>
             <value>100000000</value>
           </entry>
           <entry>
             <key>fxAmount</key>
             <value>RUR</value>
           </entry>
           <entry>
             <key>Период</key>
             <value>3 года</value>
           </entry>
           <entry>
             <key>Процент</key>
             <value>3%</value>
           </entry>
              </details>
              <id>push_id</id>
              <pushContent>
           <badge>0</badge>
           <details>
              <entry>
                 <key>target</key>
                 <value>nil</value>
              </entry>
           </details>
           <sound>default</sound>
           <text>Текст для отображения в шторке телефона</text>
           <type>UNIVERSAL</type>
              </pushContent>
              <recipients>id_user_1</recipients>
              <recipients>id_user_2</recipients>
              <timeout>1000</timeout>
           </notification>
        </sendNotification>
        """
}
