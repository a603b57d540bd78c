import Bluetooth
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol

/// What `luna local` is measured with in row 11: the keys of 10,000 trackers, and a second of
/// advertising events as a controller sends them over H4.
enum CrowdFiles {
  static func write(to folder: String) throws {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Int64(time.tv_sec)
    var generator = SeededGenerator(state: 12)
    let devices = (0..<10_000).map { number in
      Device(
        uuid: DeviceUUID(high: 1, low: UInt64(number)),
        keys: .luna(
          MasterKey(bytes: InlineArray { _ in UInt8(truncatingIfNeeded: generator.next()) })),
        onboardingTimestamp: Timestamp(unixMilliseconds: 1000 * (now - 86_400)),
        name: "tracker \(number)")
    }
    try put(Array(DeviceFile.encode(devices).utf8), "\(folder)/keys.json")
    var frames = try CrowdFrames()
    let own = devices.indices.filter { $0 % 50 == 0 }.compactMap { number in
      devices[number].masterKey.map { frames.frame($0, Period.number(at: 1000 * now)) }
    }
    var bytes: [UInt8] = []
    for number in 0..<2000 {
      let (data, address) = frames.advertisement(number, own: own)
      var report = AdvertisingReport(
        time: .unknown, adapter: nil,
        address: BluetoothAddress(value: address & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000),
        addressType: .random, payload: AdvertisingPayload(data), rssi: -60)
      report.setLegacyPDU(.advNonconnInd)
      for event in AdvertisingEventEncoder.events(for: report) { bytes += [0x04] + event }
    }
    try put(bytes, "\(folder)/second.h4")
  }

  private static func put(_ bytes: [UInt8], _ path: String) throws {
    guard let file = fopen(path, "w") else { throw Failure(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: path) }
  }

  private struct Failure: Error { let path: String }
}
