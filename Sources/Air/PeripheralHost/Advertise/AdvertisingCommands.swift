import Bluetooth

/// The commands by which a controller sends an ``Advertisement`` (Core Specification, Vol 4, Part E,
/// 7.8.4 to 7.8.9 and 7.8.52 to 7.8.56). Legacy and extended commands are never mixed.
struct AdvertisingCommands: Sendable {
  /// Whether the controller takes the extended commands, and keeps several sets.
  let isExtended: Bool

  /// Falls silent. A controller that was silent already may refuse it.
  func stop(_ number: Int) -> HCICommand {
    isExtended
      ? HCICommand(HCIOpcode.leSetExtendedAdvertisingEnable, [0, 1, handle(number), 0, 0, 0])
      : HCICommand(HCIOpcode.leSetAdvertisingEnable, [0])
  }

  /// Speaks.
  func start(_ number: Int) -> HCICommand {
    // on, one set: its handle, no end by time 2, no end by count
    isExtended
      ? HCICommand(HCIOpcode.leSetExtendedAdvertisingEnable, [1, 1, handle(number), 0, 0, 0])
      : HCICommand(HCIOpcode.leSetAdvertisingEnable, [1])
  }

  /// Everything between ``stop(_:)`` and ``start(_:)``, in order.
  func set(_ advertisement: Advertisement, _ number: Int) -> [HCICommand] {
    isExtended ? setExtended(advertisement, handle(number)) : setLegacy(advertisement)
  }

  private func handle(_ number: Int) -> UInt8 { UInt8(clamping: number) }

  private func setLegacy(_ advertisement: Advertisement) -> [HCICommand] {
    let type: UInt8 =
      switch advertisement.pdu {
      case .advInd: 0
      case .advScanInd: 2
      default: 3
      }
    let interval = littleEndian(units(advertisement.interval), 2)
    return [
      HCICommand(HCIOpcode.leSetRandomAddress, advertisement.address.littleEndianBytes),
      // interval 2 and 2, type, own address random, peer address type and 6, all channels, no filter
      HCICommand(
        HCIOpcode.leSetAdvertisingParameters,
        interval + interval + [type, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x07, 0]),
      HCICommand(HCIOpcode.leSetAdvertisingData, padded(advertisement.data)),
      HCICommand(HCIOpcode.leSetScanResponseData, padded(advertisement.scanResponse)),
    ]
  }

  private func setExtended(_ advertisement: Advertisement, _ handle: UInt8) -> [HCICommand] {
    // Legacy PDUs (bit 4), connectable (bit 0), scannable (bit 1).
    let properties: UInt8 =
      switch advertisement.pdu {
      case .advInd: 0x13
      case .advScanInd: 0x12
      default: 0x10
      }
    let interval = littleEndian(units(advertisement.interval), 3)
    var commands = [
      // handle, properties 2, interval 3 and 3, all channels, own address random, peer address type
      // and 6, no filter, no preferred power, primary PHY 1M, no skip, secondary PHY 1M, SID 0, no
      // notification of scan requests
      HCICommand(
        HCIOpcode.leSetExtendedAdvertisingParameters,
        [handle, properties, 0] + interval + interval
          + [0x07, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0x01, 0, 0x01, 0, 0]),
      // Only now: the set has to be there.
      HCICommand(
        HCIOpcode.leSetAdvertisingSetRandomAddress,
        [handle] + advertisement.address.littleEndianBytes),
      HCICommand(
        HCIOpcode.leSetExtendedAdvertisingData, extended(handle, advertisement.data)),
    ]
    // A set that cannot be scanned takes no scan response, not even an empty one.
    if properties & 0x02 != 0 {
      commands.append(
        HCICommand(
          HCIOpcode.leSetExtendedScanResponseData, extended(handle, advertisement.scanResponse)))
    }
    return commands
  }

  /// Milliseconds in steps of 0.625 ms.
  private func units(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds * 8 / 5, 0x0020), 0x4000)
  }

  private func littleEndian(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
  }

  /// A length and 31 bytes.
  private func padded(_ data: [UInt8]) -> [UInt8] {
    let data = data.prefix(31)
    return [UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count)
  }

  /// Complete data, which may not be fragmented, and their length.
  private func extended(_ handle: UInt8, _ data: [UInt8]) -> [UInt8] {
    let data = data.prefix(31)
    return [handle, 0x03, 0x01, UInt8(data.count)] + data
  }
}
