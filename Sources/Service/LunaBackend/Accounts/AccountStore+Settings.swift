import Bluetooth
package import HTTPServer
import LunaFleet
import LunaJSON

extension AccountStore {
  /// Where the server that uses this storage was found last; for links that others make.
  static let publicURL = "publicUrl"

  /// What is kept of settings.
  func settings() async throws(StorageError) -> [String: String] {
    let rows = try await storage.lookUp { work throws(StorageError) in
      try work.rows("SELECT name, value FROM luna.settings")
    }
    return Dictionary(rows.map { ($0.text(0), $0.text(1)) }) { $1 }
  }

  /// The sources of tiles that browsers may ask.
  func tiles() async throws(StorageError) -> [(look: TileLook, source: TileSource)] {
    let settings = try await settings()
    return TileLook.allCases.compactMap { look in
      guard let text = settings[look.settingName],
        let json = try? JSONReader.read(Array(text.utf8)),
        let source = TileSource(json: json), source.isOn
      else { return nil }
      return (look, source)
    }
  }

  /// From where on something is wrong with a gateway.
  ///
  /// - Parameter base: what holds where no admin has said anything.
  func healthLimits(from base: HealthLimits) async throws(StorageError) -> HealthLimits {
    guard let text = try await settings()[HealthLimit.setting],
      let json = try? JSONReader.read(Array(text.utf8))
    else { return base }
    return HealthLimit.limits(json, from: base) ?? base
  }

  /// Keeps settings; nil takes one back.
  func keep(
    _ settings: [String: String?], by account: String?, at time: Int64
  ) async throws(StorageError) {
    try await storage.transaction { work throws(StorageError) in
      for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
        if let account {
          let before = try work.row(
            "SELECT value FROM luna.settings WHERE name = $1", [.text(name)])
          try work.audit(
            AuditEntry(.setting, name, .edit, ["value": (before?.text(0), value)]), by: account,
            at: Timestamp(microseconds: time))
        }
        guard let value else {
          try work.change("DELETE FROM luna.settings WHERE name = $1", [.text(name)])
          continue
        }
        try work.change(
          """
          INSERT INTO luna.settings(name, value, changed, account) VALUES($1, $2, $3, $4)
          ON CONFLICT(name) DO UPDATE SET value = excluded.value, changed = excluded.changed,
            account = excluded.account
          """, [.text(name), .text(value), .integer(time), .text(account)])
      }
    }
  }

  /// Where browsers find the server that uses this storage; nil when none has.
  package func knownPublicURL() async throws(StorageError) -> PublicURL? {
    try await settings()[AccountStore.publicURL].flatMap { PublicURL($0) }
  }
}
