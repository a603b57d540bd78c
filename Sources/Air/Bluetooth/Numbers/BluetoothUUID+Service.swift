extension BluetoothUUID {
  /// The name of the service with this UUID; nil when it is not a known one.
  public var serviceName: String? {
    if let short = assigned16 { return NameTable.services16.name(for: short) }
    guard case .bit128(let high, let low) = self else { return nil }
    return NameTable.services128.name(high: high, low: low)
  }
}
