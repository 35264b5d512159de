// SPDX-License-Identifier: Apache-2.0

// The package manager wants a source file for a target; everything is in the header.
#include "BusCompiler.h"
