import LunaFleet

extension RecordChange {
  /// The `id` of the gateway that it is of, or of a device of which.
  var gateway: String? {
    switch RecordKind(rawValue: kind) {
    case .gateway: object
    case .device: String(object.prefix { $0 != "/" })
    case nil: nil
    }
  }
}
