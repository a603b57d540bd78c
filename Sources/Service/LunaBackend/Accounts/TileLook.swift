import LunaJSON

/// How a map of the console can look, where somebody has said where its tiles come from.
public enum TileLook: String, CaseIterable, Sendable {
  /// Streets and names.
  case standard
  /// Pictures from above.
  case satellite
  /// Both.
  case hybrid

  /// The setting with its source.
  var setting: Setting {
    Setting(name: settingName, initial: .null) { TileSource(json: $0) != nil }
  }

  /// What the setting is called.
  var settingName: String {
    switch self {
    case .standard: "tilesStandard"
    case .satellite: "tilesSatellite"
    case .hybrid: "tilesHybrid"
    }
  }
}
