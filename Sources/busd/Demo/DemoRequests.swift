// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the demo's bank sends.
struct DemoRequests {
    /// Tells this run's ids from those of others.
    let run: Int64

    /// A notification's id.
    func id(_ name: String) -> NotificationID { NotificationID("\(name)_\(run)") }

    /// The request of the original documentation, its parts filled in from there.
    func offer(_ name: String) -> String {
        Self.envelope(
            """
            <sendNotification>
               <notification>
                  <details>
                     <entry><key>logo_url</key><value>http://www.idamob.ru/ic.png</value></entry>
                     <entry><key>push_description</key><value>Текстовый блок с некоторым описанием</value></entry>
                     <entry><key>name</key><value>Заголовок сообщения</value></entry>
                     <entry><key>currency</key><value>100000000</value></entry>
                     <entry><key>fxAmount</key><value>RUR</value></entry>
                     <entry><key>Период</key><value>3 года</value></entry>
                     <entry><key>Процент</key><value>3%</value></entry>
                  </details>
                  <id>\(id(name))</id>
                  <pushContent>
                     <badge>0</badge>
                     <details>
                        <entry><key>target</key><value>nil</value></entry>
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
        )
    }

    /// A code that confirms a payment.
    func code(_ name: String) -> String {
        let content = """
            <badge>1</badge>
            <text>Код подтверждения платежа</text>
            <type>PIN_CODE</type>
            <target>4711</target>
            """
        return notification(name, content, timeout: 300, to: "id_user_2")
    }

    /// A line of news.
    func news(_ name: String, timeout: Int, to user: String) -> String {
        let content = "<badge>1</badge><text>Новости банка</text><type>MESSAGE</type>"
        return notification(name, content, timeout: timeout, to: user)
    }

    private func notification(_ name: String, _ content: String, timeout: Int, to user: String) -> String {
        Self.envelope(
            """
            <sendNotification>
               <notification>
                  <id>\(id(name))</id>
                  <pushContent>\(content)</pushContent>
                  <recipients>\(user)</recipients>
                  <timeout>\(timeout)</timeout>
               </notification>
            </sendNotification>
            """
        )
    }

    private static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">
        <soapenv:Body>
        \(body)
        </soapenv:Body>
        </soapenv:Envelope>
        """
    }
}
