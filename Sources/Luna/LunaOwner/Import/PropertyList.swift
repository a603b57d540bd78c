import Bluetooth
import LunaCore

/// A property list, as far as records need it.
enum PropertyList: Equatable {
  case string(String)
  case data([UInt8])
  case date(Timestamp)
  case integer(Int64)
  case boolean(Bool)
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Reads the XML form.
  ///
  /// - Throws: ``DeviceFileError`` with the offset of what is wrong.
  init(xml bytes: [UInt8]) throws(DeviceFileError) {
    var reader = PropertyListReader(bytes)
    self = try reader.document()
  }
}
