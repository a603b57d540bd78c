import CDBus

/// Reads the values of a message.
enum BusReader {
  /// The arguments of `message`. What has no place in ``BusValue`` (file descriptors) is left out.
  static func arguments(of message: OpaquePointer) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return values(&iterator)
  }

  private static func values(_ iterator: inout DBusMessageIter) -> [BusValue] {
    var values: [BusValue] = []
    while dbus_message_iter_get_arg_type(&iterator) != 0 {
      if let value = value(&iterator) { values.append(value) }
      if dbus_message_iter_next(&iterator) == 0 { break }
    }
    return values
  }

  private static func value(_ iterator: inout DBusMessageIter) -> BusValue? {
    let type = UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
    switch type {
    case UInt8(ascii: "a"): return array(&iterator)
    case UInt8(ascii: "r"): return .structure(inside(&iterator))
    case UInt8(ascii: "v"): return inside(&iterator).first.map { .variant($0) }
    case UInt8(ascii: "h"): return nil
    default: break
    }
    var basic = DBusBasicValue()
    dbus_message_iter_get_basic(&iterator, &basic)
    switch type {
    case UInt8(ascii: "y"): return .byte(basic.byt)
    case UInt8(ascii: "b"): return .bool(basic.bool_val != 0)
    case UInt8(ascii: "n"): return .int16(basic.i16)
    case UInt8(ascii: "q"): return .uint16(basic.u16)
    case UInt8(ascii: "i"): return .int32(basic.i32)
    case UInt8(ascii: "u"): return .uint32(basic.u32)
    case UInt8(ascii: "x"): return .int64(Int64(basic.i64))
    case UInt8(ascii: "t"): return .uint64(UInt64(basic.u64))
    case UInt8(ascii: "d"): return .double(basic.dbl)
    case UInt8(ascii: "s"): return .string(text(basic))
    case UInt8(ascii: "o"): return .objectPath(text(basic))
    case UInt8(ascii: "g"): return .signature(text(basic))
    default: return nil
    }
  }

  private static func text(_ basic: DBusBasicValue) -> String {
    basic.str.map { String(cString: $0) } ?? ""
  }

  private static func inside(_ iterator: inout DBusMessageIter) -> [BusValue] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return values(&inner)
  }

  private static func array(_ iterator: inout DBusMessageIter) -> BusValue {
    var inner = DBusMessageIter()
    let type = UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator))
    dbus_message_iter_recurse(&iterator, &inner)
    switch type {
    case UInt8(ascii: "y"):
      var bytes: UnsafePointer<UInt8>?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner, &bytes, &count)
      return .bytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    case UInt8(ascii: "e"):
      var entries: [BusValue.BusEntry] = []
      while dbus_message_iter_get_arg_type(&inner) != 0 {
        var pair = DBusMessageIter()
        dbus_message_iter_recurse(&inner, &pair)
        if let key = value(&pair), dbus_message_iter_next(&pair) != 0, let value = value(&pair) {
          entries.append(BusValue.BusEntry(key, value))
        }
        if dbus_message_iter_next(&inner) == 0 { break }
      }
      return .dictionary(entries)
    default: return .array(values(&inner))
    }
  }
}
