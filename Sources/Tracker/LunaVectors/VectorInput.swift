import Bluetooth
import LunaCrypto
import LunaJSON
import LunaProtocol

/// The input of a case, by name and type. What is missing or mistyped throws the name.
struct VectorInput {
  let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func value(_ name: String) throws(VectorError) -> JSONValue {
    guard let value = object[name] else { throw .member(name) }
    return value
  }

  func isNull(_ name: String) -> Bool {
    object[name] == nil || object[name] == .null
  }

  func bool(_ name: String) throws(VectorError) -> Bool {
    guard case .bool(let value)? = object[name] else { throw .member(name) }
    return value
  }

  func string(_ name: String) throws(VectorError) -> String {
    guard case .string(let value)? = object[name] else { throw .member(name) }
    return value
  }

  func array(_ name: String) throws(VectorError) -> [JSONValue] {
    guard case .array(let value)? = object[name] else { throw .member(name) }
    return value
  }

  func integer<Integer: FixedWidthInteger>(
    _ name: String, as type: Integer.Type = Integer.self
  ) throws(VectorError) -> Integer {
    guard case .integer(let value)? = object[name], let number = Integer(exactly: value) else {
      throw .member(name)
    }
    return number
  }

  /// A number, or the text of one that JSON cannot write; nil for null.
  func double(_ name: String) throws(VectorError) -> Double? {
    switch try value(name) {
    case .null: return nil
    case .integer(let value): return Double(value)
    case .real(let value): return value
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    default: throw .member(name)
    }
  }

  func bytes(_ name: String) throws(VectorError) -> [UInt8] {
    guard let bytes = Hex.bytes(try string(name)) else { throw .member(name) }
    return bytes
  }

  func bytes<let count: Int>(
    _ name: String, as type: InlineArray<count, UInt8>.Type = InlineArray<count, UInt8>.self
  ) throws(VectorError) -> InlineArray<count, UInt8> {
    let bytes = try bytes(name)
    guard bytes.count == count else { throw .member(name) }
    return InlineArray { bytes[$0] }
  }

  func secret(_ name: String) throws(VectorError) -> SecretBytes {
    let bytes = try bytes(name)
    return SecretBytes(copying: bytes.span)
  }

  func masterKey(_ name: String = "masterKey") throws(VectorError) -> MasterKey {
    guard let key = MasterKey(try secret(name)) else { throw .member(name) }
    return key
  }

  func code(_ name: String = "code") throws(VectorError) -> OnboardingCode {
    guard let code = OnboardingCode(try secret(name)) else { throw .member(name) }
    return code
  }

  func eid(_ name: String = "eid") throws(VectorError) -> EID {
    guard let eid = EID(try string(name)) else { throw .member(name) }
    return eid
  }

  func aotp(_ name: String = "aotp") throws(VectorError) -> AOTP {
    guard let aotp = AOTP(try string(name)) else { throw .member(name) }
    return aotp
  }

  func heid(_ name: String = "heid") throws(VectorError) -> HEID {
    guard let heid = HEID(try string(name)) else { throw .member(name) }
    return heid
  }

  func esf(_ name: String = "esf") throws(VectorError) -> ESF {
    guard let esf = ESF(try string(name)) else { throw .member(name) }
    return esf
  }

  func package(_ name: String = "package") throws(VectorError) -> ControlPackage {
    let bytes = try bytes(name)
    guard let package = ControlPackage(bytes.span) else { throw .member(name) }
    return package
  }
}
