import Bluetooth
public import CLuna
import LunaDocuments

/// `luna_decode` of luna.h.
@_cdecl("luna_decode")
public func decode(
  _ data: UnsafePointer<UInt8>?, _ count: Int, _ address: UnsafePointer<CChar>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> luna_status {
  answer {
    guard let json else { throw Failure.invalid("json is NULL") }
    guard data != nil || count == 0 else { throw Failure.invalid("data is NULL") }
    // Beyond half of what a size_t can say it is negative here.
    guard 0...1650 ~= count else { throw Failure.invalid("data have at most 1650 bytes") }
    var sender: BluetoothAddress?
    if address != nil {
      let word = try text(address, "address")
      sender = BluetoothAddress(word)
      if sender == nil { throw Failure.invalid("\(word) is no Bluetooth address") }
    }
    let output = OutputBuffer()
    DecodedDocument(
      data: Array(UnsafeBufferPointer(start: data, count: count)), address: sender
    ).append(to: output)
    json.pointee = try copy(output.line())
  }
}

extension OutputBuffer {
  /// What was written: an object without the end of its line.
  func line() -> [UInt8] {
    var bytes = take()
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes
  }
}
