import CWebAssets
package import HTTPServer
package import LunaCrypto

/// The pages of an app in browsers: one document for every address, which asks the API like any other client,
/// and the files that it loads.
package struct AppPages: Sendable {
  private static let root = "/ui/"
  private let files: PathTable<Asset>
  /// For an address that is none of a page.
  private let missing: Asset?

  /// An app.
  ///
  /// - Parameters:
  ///   - pages: the addresses of its pages; what is there, the scripts decide.
  ///   - document: the file that all of them begin with.
  ///   - files: files that have addresses of their own, by these.
  ///   - leavesOut: what the names of files begin with that it does not need.
  package init(
    pages: [String], document: String, files own: [String: String] = [:], leavesOut: [String]
  ) throws(CryptoError) {
    var files = PathTable<Asset>()
    var missing: Asset?
    var count = 0
    let assets = luna_web_assets(&count)
    for index in 0..<count {
      guard let file = assets?[index] else { continue }
      let (name, type) = (String(cString: file.path), String(cString: file.type))
      let asset = try Asset(
        type, hashing: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
      if name == document {
        for page in pages { files.add("GET", page, asset) }
        missing = asset
      } else if let address = own.first(where: { $0.value == name })?.key {
        files.add("GET", address, asset)
      } else if !leavesOut.contains(where: { name.hasPrefix($0) }) {
        files.add("GET", "/ui/assets/" + name, asset)
      }
    }
    self.files = files
    self.missing = missing
  }

  /// Whether a path is one of an app's, and not of the API.
  package static func owns(_ path: some StringProtocol) -> Bool {
    path == "/" || path == "/ui" || path.hasPrefix(root)
  }

  /// Whether a request is for a page, and not for one of its files.
  package static func isDocument(_ head: HTTPHead) -> Bool {
    !head.path.hasPrefix(root + "assets/")
  }

  /// The answer to a request for a page or one of its files; nil where it is for neither.
  ///
  /// - Parameters:
  ///   - isStrict: whether browsers are told to come by https alone from now on.
  ///   - tiles: the servers of tiles that maps may ask.
  package func response(to head: HTTPHead, isStrict: Bool, tiles: Set<String> = []) -> HTTPResponse?
  {
    guard head.method == "GET" || head.method == "HEAD" else { return nil }
    guard head.path.hasPrefix(AppPages.root) else {
      var response = HTTPResponse(303, nil, [])
      response.headers.append(("Location", AppPages.root))
      return response
    }
    let policy = AppPages.policy(isStrict: isStrict, tiles: tiles)
    let isPage = AppPages.isDocument(head)
    if case .found(let asset, _) = files.find(head.method, head.path) {
      // A browser that is told that it has the page keeps the policy that came with it, too.
      return asset.response(to: head, isWhole: isPage, policy: policy)
    }
    // People see a page also where there is none.
    return isPage
      ? missing?.response(to: head, status: 404, isWhole: true, policy: policy) : nil
  }

  /// The answer to a request for a file that is not the program's own: it may do no more than those that are.
  package func response(to head: HTTPHead, own asset: Asset, isStrict: Bool) -> HTTPResponse {
    asset.response(to: head, policy: AppPages.policy(isStrict: isStrict, tiles: []))
  }

  private static func policy(isStrict: Bool, tiles: Set<String>) -> ContentPolicy {
    var more = ["Permissions-Policy": "camera=(self), geolocation=(self)"]
    if isStrict { more["Strict-Transport-Security"] = "max-age=31536000" }
    return ContentPolicy(
      [
        "script-src 'self'", "style-src 'self'", "connect-src 'self'", "form-action 'self'",
        (["img-src 'self' data: blob:"] + tiles.sorted()).joined(separator: " "),
        "media-src 'self' blob:",
      ], more: more)
  }
}
