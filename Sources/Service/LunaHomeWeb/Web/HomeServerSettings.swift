import Diagnosis
package import HTTPServer
package import LunaJSON

/// What `server` of a home's file says.
package struct HomeServerSettings: Sendable {
  /// Where it listens.
  package var listen = ListenAddress(host: "127.0.0.1", port: 8470)
  /// Where links lead.
  package var publicURL: PublicURL?
  /// Other names that it is asked by.
  package var names: [String] = []
  /// Certificate and key; nil for plain HTTP.
  package var tls: TLSFiles?
  /// The proxies whose word is taken for who is behind them.
  package var proxies = TrustedProxies.none
  /// The folder with screens and controls of somebody's own.
  package var webRoot: String?
  /// A file with map tiles.
  package var tiles: String?
  /// The address of a server of map tiles, with `{z}`, `{x}` and `{y}`.
  package var tileURL: String?

  /// What holds without a file.
  package init() {}

  /// What a file says, which was checked.
  ///
  /// - Throws: ``HTTPServer/ServerError`` where certificate or key cannot be read.
  package init(_ json: JSONValue?) throws(ServerError) {
    guard case .object(let object)? = json else { return }
    if case .string(let text)? = object["listen"], let address = ListenAddress(text) {
      listen = address
    }
    if case .string(let text)? = object["publicUrl"] { publicURL = PublicURL(text) }
    if case .array(let values)? = object["names"] {
      names = values.compactMap {
        if case .string(let name) = $0 { name.lowercased() } else { nil }
      }
    }
    if case .string(let path)? = object["webRoot"] { webRoot = path }
    if case .string(let path)? = object["mbtiles"] { tiles = path }
    if case .string(let url)? = object["tileURL"] { tileURL = url }
    if object["trustProxy"] == .bool(true) {
      proxies = TrustedProxies(["127.0.0.0/8", "::1"]) ?? .none
    }
    if case .object(let files)? = object["tls"], case .string(let certificate)? = files["cert"],
      case .string(let key)? = files["key"]
    {
      tls = try TLSFiles(certificateFile: certificate, keyFile: key)
    }
  }
}
