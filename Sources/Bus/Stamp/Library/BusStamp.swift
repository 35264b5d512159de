// SPDX-License-Identifier: Apache-2.0

// What a plugin and its host compare, `busd_stamp()`, is written by the build: see `MakeStamp`.
@_exported public import BusCompiler
