import Bluetooth

extension SourceDescription {
  /// What stands in `adapter` for reports that name none: `virtual`, `h4`; nil for a recording.
  var adapterName: String? {
    if simulated { return "virtual" }
    return name.hasPrefix("h4") ? "h4" : nil
  }
}
