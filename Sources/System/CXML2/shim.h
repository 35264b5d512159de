// SPDX-License-Identifier: Apache-2.0

#pragma once

// Foundation brings an ICU of its own, whose types the compiler would find declared twice; we need none of Debian's.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

/// Bytes handed to the parser that it has not consumed yet: an unfinished tag, comment or instruction.
static inline long busd_xml_pending(xmlParserCtxtPtr context) {
    return context->input ? (long)(context->input->end - context->input->cur) : 0;
}
