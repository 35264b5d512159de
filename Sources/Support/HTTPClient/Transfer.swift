// SPDX-License-Identifier: Apache-2.0

import Bus
import CCurl

/// One request on its way, owned by the client's thread from the moment it is posted.
///
/// `@unchecked`: made by the caller and handed over once; afterwards only the client's thread touches it. libcurl
/// keeps the addresses of `body`, `problem` and of the object itself while the handle lives, which ends in `deinit`.
final class Transfer: @unchecked Sendable {
    /// Bytes of an answer's header; more is no honest answer.
    private static let headerLimit = 64 << 10

    let id: UInt64
    let origin: Origin
    let deadline: MonotonicTime
    let handle: UnsafeMutableRawPointer
    private let responseLimit: Int
    private let finish: (Result<HTTPClientResponse, HTTPClientError>) -> Void
    private let lines: HeaderLines
    private let problem: UnsafeMutablePointer<CChar>
    private let body: UnsafeMutableRawBufferPointer
    private var headers = HTTPHeaders()
    private var headerBytes = 0
    private var received: [UInt8] = []
    private var isTooLarge = false

    /// Prepares a request; sends nothing.
    init(
        _ request: HTTPClientRequest,
        id: UInt64,
        configuration: HTTPClientConfiguration,
        finish: @escaping (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) throws(HTTPClientError) {
        origin = try Origin(of: request.url)
        lines = try HeaderLines(of: request)
        guard isToken(request.method) else { throw .invalid("the method is not one that HTTP allows") }
        guard let handle = curl_easy_init() else { throw .invalid("libcurl has no memory for a request") }
        self.handle = handle
        self.id = id
        self.finish = finish
        deadline = MonotonicTime.now().adding(nanoseconds: request.timeLimit.nanoseconds)
        responseLimit = request.responseLimit
        problem = .allocate(capacity: Int(CURL_ERROR_SIZE))
        problem.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        body = .allocate(byteCount: max(1, request.body.count), alignment: 1)
        body.copyBytes(from: request.body)
        try configure(for: request, configuration)
    }

    deinit {
        curl_easy_cleanup(handle)
        problem.deallocate()
        body.deallocate()
    }

    private func configure(
        for request: HTTPClientRequest,
        _ configuration: HTTPClientConfiguration
    ) throws(HTTPClientError) {
        var options = EasyOptions(handle)
        options.setLimits()
        options.set(CURLOPT_URL, request.url)
        options.setMethod(request.method, body: UnsafeMutableRawBufferPointer(rebasing: body[..<request.body.count]))
        options.set(CURLOPT_HTTPHEADER, address: lines.first)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.connectLimit.nanoseconds / 1_000_000))
        if request.isSentOnce {
            options.set(CURLOPT_FRESH_CONNECT, 1)
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        if request.onlyConnects { options.set(CURLOPT_CONNECT_ONLY, 1) }
        options.setTrust(configuration)
        options.set(CURLOPT_ERRORBUFFER, address: problem)
        let this = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_WRITEFUNCTION, Self.receiveBody)
        options.set(CURLOPT_WRITEDATA, address: this)
        options.set(CURLOPT_HEADERFUNCTION, Self.receiveHeader)
        options.set(CURLOPT_HEADERDATA, address: this)
        guard let failed = options.firstFailure else { return }
        throw .invalid("libcurl refuses an option: \(String(cString: curl_easy_strerror(failed)))")
    }

    /// Sets what is left of the time, and which connections may be used, just before libcurl takes over.
    func start(at now: MonotonicTime, _ reuse: ConnectionTrust.Reuse) {
        if reuse.isFresh { _ = busd_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
        if reuse.longestLife > 0 { _ = busd_curl_set_number(handle, CURLOPT_MAXLIFETIME_CONN, reuse.longestLife) }
        let left = deadline.nanoseconds(since: now) / 1_000_000
        _ = busd_curl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(left)))
    }

    /// Tells the caller why there is no answer.
    func fail(_ code: HTTPClientError.Code, _ reason: String) {
        finish(.failure(HTTPClientError(code, "\(origin): \(reason)", mayHaveArrived: wasSent)))
    }

    /// Tells the caller what libcurl says it came to.
    func complete(_ result: CURLcode) {
        guard result != CURLE_OK else {
            return finish(.success(HTTPClientResponse(status: status, headers: headers, body: received)))
        }
        if isTooLarge || result == CURLE_FILESIZE_EXCEEDED {
            return fail(.tooLarge, "the answer is larger than \(responseLimit) bytes or has too long a header")
        }
        let said = String(cString: problem)
        if Self.isRefusal(said) {
            let reason = "the far end refused our client certificate, or asks for one: \(said)"
            return finish(.failure(HTTPClientError(.notTrusted, "\(origin): \(reason)")))
        }
        fail(code(of: result), said.isEmpty ? String(cString: curl_easy_strerror(result)) : said)
    }

    /// Whether libcurl tells of a TLS alert by which the far end refused our certificate.
    ///
    /// With TLS 1.3 it comes after the handshake has ended for us (RFC 8446, 4.4.2.4), when the request may be on its
    /// way already; a server that sends it has not read the request.
    static func isRefusal(_ said: String) -> Bool {
        guard said.contains(" alert ") else { return false }
        return ["certificate", "unknown ca", "access denied"].contains { said.contains($0) }
    }

    private func code(of result: CURLcode) -> HTTPClientError.Code {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE:
            .notTrusted
        case CURLE_OPERATION_TIMEDOUT: isConnected ? .timedOut : .cannotConnect
        default: .broken
        }
    }

    /// The status of the answer; 0 where there is none.
    var status: Int {
        var status = 0
        _ = busd_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// Whether TCP and TLS were ready: libcurl then goes on to send.
    var isConnected: Bool {
        var microseconds: curl_off_t = 0
        _ = busd_curl_get_size(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    private var wasSent: Bool {
        var bytes = 0
        _ = busd_curl_get_number(handle, CURLINFO_REQUEST_SIZE, &bytes)
        return bytes > 0 || isConnected
    }

    // MARK: What libcurl calls

    private static let receiveBody: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let receiveHeader: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// Keeps a piece of the body; fewer bytes than given stop the transfer.
    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= responseLimit - received.count else {
            isTooLarge = true
            return 0
        }
        received.append(contentsOf: bytes)
        return bytes.count
    }

    /// Keeps a line of the header.
    private func take(header bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= Self.headerLimit else {
            isTooLarge = true
            return 0
        }
        // A status line begins anew: what came before it was an interim answer (1xx).
        if bytes.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(name: bytes[..<colon], value: trimmedValue(bytes[(colon + 1)...]))
        }
        return bytes.count
    }

    private func trimmedValue(_ value: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }
        guard let first = value.firstIndex(where: { !isBlank($0) }), let last = value.lastIndex(where: { !isBlank($0) })
        else { return value[value.startIndex..<value.startIndex] }
        return value[first...last]
    }
}

extension Duration {
    /// Whole nanoseconds; zero for a negative duration, a year at most.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(0, seconds), 31_536_000)
        return UInt64(bounded) * 1_000_000_000 + (seconds < 0 ? 0 : UInt64(max(0, attoseconds) / 1_000_000_000))
    }
}
