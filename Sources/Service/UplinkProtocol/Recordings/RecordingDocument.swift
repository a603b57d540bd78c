import LunaJSON

/// The JSON of a file that others may have made.
enum RecordingDocument {
  static func read(_ bytes: [UInt8]) throws(RecordingError) -> JSONValue {
    guard bytes.count <= RecordingLimits.file else { throw .tooLarge }
    guard !isPickle(bytes) else { throw .pickle }
    var rules = JSONRules.strict(elements: RecordingLimits.packets)
    rules.depth = RecordingLimits.depth
    do throws(JSONError) {
      return try JSONReader.read(bytes, rules: rules)
    } catch {
      throw .json(error)
    }
  }

  /// Reads a file by what it means.
  static func read<Value>(
    _ bytes: [UInt8], _ body: (JSONValue) throws(FormatError) -> Value
  ) throws(RecordingError) -> Value {
    let json = try read(bytes)
    do throws(FormatError) {
      return try body(json)
    } catch {
      throw .format(error)
    }
  }

  /// Whether something is a pickle, of any protocol: from 2 on it begins with the byte 0x80, before that
  /// with an operation with which no JSON begins; the last one is a full stop.
  private static func isPickle(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0x80: true
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: "c"):
      bytes.last == UInt8(ascii: ".")
    default: false
    }
  }
}
