import CDBus

/// Writes values into a message.
enum BusWriter {
  /// Appends arguments; false when a value does not fit its place (a string with a NUL, an array
  /// of mixed types) or memory is short.
  static func append(_ values: [BusValue], to message: OpaquePointer) -> Bool {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return values.allSatisfy { append($0, &iterator) }
  }

  private static func append(_ value: BusValue, _ iterator: inout DBusMessageIter) -> Bool {
    var basic = DBusBasicValue()
    switch value {
    case .byte(let number): basic.byt = number
    case .bool(let flag): basic.bool_val = flag ? 1 : 0
    case .int16(let number): basic.i16 = number
    case .uint16(let number): basic.u16 = number
    case .int32(let number): basic.i32 = number
    case .uint32(let number): basic.u32 = number
    case .int64(let number): basic.i64 = dbus_int64_t(number)
    case .uint64(let number): basic.u64 = dbus_uint64_t(number)
    case .double(let number): basic.dbl = number
    case .string(let text), .objectPath(let text), .signature(let text):
      return append(text, value, &iterator)
    case .bytes(let bytes): return append(bytes, &iterator)
    case .array(let values):
      let signature = values.first?.typeSignature ?? "s"
      guard values.allSatisfy({ $0.typeSignature == signature }) else { return false }
      return container("a", signature, &iterator) { inner in
        values.allSatisfy { append($0, &inner) }
      }
    case .structure(let values):
      return container("r", nil, &iterator) { inner in values.allSatisfy { append($0, &inner) } }
    case .dictionary(let entries):
      let signature = value.typeSignature.dropFirst()
      let fits = entries.allSatisfy {
        "{\($0.key.typeSignature)\($0.value.typeSignature)}" == signature
      }
      guard fits else { return false }
      return container("a", String(signature), &iterator) { inner in
        entries.allSatisfy { entry in
          container("e", nil, &inner) { append(entry.key, &$0) && append(entry.value, &$0) }
        }
      }
    case .variant(let content):
      return container("v", content.typeSignature, &iterator) { append(content, &$0) }
    }
    return dbus_message_iter_append_basic(&iterator, code(of: value), &basic) != 0
  }

  private static func code(of value: BusValue) -> Int32 {
    Int32(value.typeSignature.utf8.first ?? 0)
  }

  private static func append(
    _ text: String, _ value: BusValue, _ iterator: inout DBusMessageIter
  ) -> Bool {
    // libdbus ends the process over a text that is not valid in its place.
    guard isValid(text, value) else { return false }
    return text.withCString { pointer in
      var pointer: UnsafePointer<CChar>? = pointer
      return dbus_message_iter_append_basic(&iterator, code(of: value), &pointer) != 0
    }
  }

  private static func isValid(_ text: String, _ value: BusValue) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    switch value {
    case .objectPath: return dbus_validate_path(text, nil) != 0
    case .signature: return dbus_signature_validate(text, nil) != 0
    default: return dbus_validate_utf8(text, nil) != 0
    }
  }

  private static func append(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) -> Bool {
    container("a", "y", &iterator) { inner in
      bytes.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        return buffer.isEmpty
          || dbus_message_iter_append_fixed_array(
            &inner, Int32(UInt8(ascii: "y")), &start, Int32(buffer.count)) != 0
      }
    }
  }

  private static func container(
    _ type: Unicode.Scalar, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard
      dbus_message_iter_open_container(&iterator, Int32(type.value), signature, &inner) != 0
    else { return false }
    guard body(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }
}
