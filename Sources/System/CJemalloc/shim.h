// SPDX-License-Identifier: Apache-2.0

#pragma once

// Linked for what it replaces: malloc and its kin, for the whole process. Nothing of it is called by name.
