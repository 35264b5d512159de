// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

/// Bytes handed to the parser that it has not consumed yet: an unfinished tag, comment or instruction.
static inline long busd_xml_pending(xmlParserCtxtPtr context) {
    return context->input ? (long)(context->input->end - context->input->cur) : 0;
}
