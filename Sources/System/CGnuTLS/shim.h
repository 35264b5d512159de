// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
