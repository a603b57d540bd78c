extension SourceDescription {
  /// What stands in `adapter` for reports that name none: `virtual`, `h4`; nil for a recording.
  package var adapterName: String? {
    if simulated { return "virtual" }
    return name.hasPrefix("h4") ? "h4" : nil
  }

  /// What stands in `adapter` for the whole source: the adapter behind the name of a radio path,
  /// such as `hci0`, or all of them, as `hci0,hci1`; nil for a recording.
  package var adapter: String? {
    guard adapterName == nil else { return adapterName }
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2,
      // One that was not there yet is called by its address.
      parts[1].split(separator: ",").allSatisfy({ adapter in
        adapter.hasPrefix("hci") || BluetoothAddress(adapter) != nil
      })
    else { return nil }
    return String(parts[1])
  }
}
