extension SourceDescription {
  /// What stands in `adapter` for reports that name none: `virtual`, `h4`; nil for a recording.
  package var adapterName: String? {
    if simulated { return "virtual" }
    return name.hasPrefix("h4") ? "h4" : nil
  }

  /// What stands in `adapter` for the whole source: the adapter behind the name of a radio path,
  /// such as `hci0`; nil for a recording, and for several.
  package var adapter: String? {
    guard adapterName == nil else { return adapterName }
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[1].hasPrefix("hci"), !parts[1].contains(",") else { return nil }
    return String(parts[1])
  }
}
