import LunaCore

extension GatewayPayload {
  /// The text of the label, for a QR code or to be typed.
  public var text: String {
    var bytes: [UInt8] = []
    func put(_ tag: PayloadTag, _ value: some Collection<UInt8>) {
      bytes += [tag.rawValue, UInt8(truncatingIfNeeded: value.count)]
      bytes += value
    }
    func put(_ tag: PayloadTag, text: String?) {
      if let text = GatewayPayload.fitting(text) { put(tag, text.utf8) }
    }
    put(.print, print.bytes)
    put(.name, text: name)
    put(.site, text: site)
    if let mac, mac.count == 6 { put(.mac, mac) }
    if let ip, ip.count == 4 || ip.count == 16 { put(.ip, ip) }
    put(.manufacturer, text: manufacturer)
    put(.model, text: model)
    if let position {
      put(
        .place,
        [position.latitude, position.longitude].flatMap {
          GatewayPayload.bigEndian(UInt32(bitPattern: $0))
        })
    }
    bytes += GatewayPayload.bigEndian(CRC32.checksum(bytes))
    return GatewayPayload.prefix + CrockfordText.encode(bytes)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
