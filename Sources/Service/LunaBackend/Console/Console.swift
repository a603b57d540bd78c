import HTTPServer
import LunaCrypto
import WebAccess

/// The pages of the console.
struct Console: Sendable {
  /// The addresses of pages; what is there, the scripts decide (`main.js` has the same list).
  private static let pages = [
    "/ui/", "/ui/gateways/{id}", "/ui/gateways/{id}/devices", "/ui/devices/{ref}", "/ui/map",
    "/ui/dashboard", "/ui/scan", "/ui/device",
    "/ui/history", "/ui/accounts", "/ui/settings", "/ui/me", "/ui/about", "/ui/sign-in",
    "/ui/setup",
    "/ui/invitation",
  ]

  private let app: AppPages

  /// The console of this version.
  init() throws(CryptoError) {
    app = try AppPages(
      pages: Console.pages, document: "index.html", leavesOut: ["home/", "events/"])
  }

  /// The answer to a request for a page or one of its files; nil where it is for neither.
  ///
  /// - Parameters:
  ///   - isStrict: whether browsers are told to come by https alone from now on.
  ///   - tiles: the servers of tiles that maps may ask.
  func response(to head: HTTPHead, isStrict: Bool, tiles: Set<String> = []) -> HTTPResponse? {
    app.response(to: head, isStrict: isStrict, tiles: tiles)
  }
}
