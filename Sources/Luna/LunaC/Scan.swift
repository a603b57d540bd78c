import Bluetooth
public import CLuna
import LunaDocuments

/// `luna_scan_start` of luna.h.
@_cdecl("luna_scan_start")
public func startScan(
  _ source: UnsafePointer<CChar>?, _ advertisement: luna_advertisement_callback?,
  _ end: luna_end_callback?, _ context: UnsafeMutableRawPointer?,
  _ scan: UnsafeMutablePointer<OpaquePointer?>?
) -> luna_status {
  answer {
    guard let advertisement else { throw Failure.invalid("the callback is NULL") }
    let provider = try SourceName.provider(try text(source, "source"))
    let caller = Caller(end: end, context: context)
    try Listening.start(scan) {
      let radio = try provider.makeRadio(.auto)
      try await radio.source.start()
      return Listening(caller, halt: { await radio.source.stop() }) {
        let lines = ScanLines(adapter: radio.source.description.adapterName)
        while let batch = try await radio.source.nextBatch() {
          await caller.call { context in
            for report in batch { lines.deliver(report, to: advertisement, context) }
          }
        }
        await radio.source.stop()
      }
    }
  }
}

/// `luna_scan_stop` of luna.h.
@_cdecl("luna_scan_stop")
public func stopScan(_ scan: OpaquePointer?) -> luna_status { Listening.stop(scan) }

/// Makes advertisements of luna.h. Used by one thread at a time.
private final class ScanLines: @unchecked Sendable {
  private let output = OutputBuffer()
  private let lines: AdvertisementLines

  init(adapter: String?) { lines = AdvertisementLines(output, adapterName: adapter) }

  func deliver(
    _ report: AdvertisingReport, to advertisement: luna_advertisement_callback,
    _ context: UnsafeMutableRawPointer?
  ) {
    _ = lines.append(report)
    var json = output.line()
    json.append(0)
    var value = luna_advertisement()
    value.time = report.time == .unknown ? .min : report.time.microseconds
    value.address_type = report.addressType.hasAddress ? report.addressType.rawValue : 255
    if report.addressType.hasAddress {
      let number = report.address.value
      withUnsafeMutableBytes(of: &value.address) { bytes in
        for index in 0..<6 {
          bytes[index] = UInt8(truncatingIfNeeded: number >> UInt64(40 - 8 * index))
        }
      }
    }
    value.rssi = report.rssi ?? 127
    report.payload.withBytes { bytes in
      bytes.withUnsafeBufferPointer { bytes in
        json.withUnsafeBytes { json in
          value.data = bytes.baseAddress
          value.data_count = bytes.count
          value.json = json.assumingMemoryBound(to: CChar.self).baseAddress
          advertisement(&value, context)
        }
      }
    }
  }
}
