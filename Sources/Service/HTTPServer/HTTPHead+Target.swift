extension HTTPHead {
  /// The head with path and query alone as its target. The authority of a target that was a whole address takes the
  /// place of what Host said (RFC 9112, 3.2.2), so that every check of Host is one of the target. A target that is
  /// no address of a server stays, as does a Host that is malformed: these are refused.
  var inOriginForm: HTTPHead {
    guard
      let scheme = ["http://", "https://"].first(where: {
        target.prefix($0.count).lowercased() == $0
      })
    else { return self }
    let rest = target.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard RequestCheck.isHost(authority) else { return self }
    let host = HTTPHeader("Host".utf8, authority.utf8)
    var headers = headers.map { $0.isNamed("host") && RequestCheck.isHost($0.text) ? host : $0 }
    // Who speaks HTTP/1.1 has to send one all the same.
    if version == "HTTP/1.0", first("host") == nil { headers.append(host) }
    let path = rest[authority.endIndex...]
    var head = HTTPHead(
      method: method, target: (path.hasPrefix("/") ? "" : "/") + path, version: version,
      headers: headers)
    head.size = size
    head.isPlain = isPlain
    head.connection = connection
    return head
  }
}
