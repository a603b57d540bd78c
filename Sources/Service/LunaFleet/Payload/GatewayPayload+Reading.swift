import Diagnosis
import LunaCore

extension GatewayPayload {
  /// Reads a label: in any case, with blanks and hyphens anywhere among the symbols.
  ///
  /// - Throws: the first error in the order of ``FleetError/Code``.
  public init(text: String) throws(FleetError) {
    let symbols = try GatewayPayload.symbols(of: text)
    var values: [UInt8] = []
    values.reserveCapacity(symbols.count)
    for (symbol, position) in symbols {
      guard let value = CrockfordText.value(of: symbol) else {
        throw FleetError(
          .qrSymbol, "character \(position) is not one that a label has", position: position,
          remedy: "compare it with the label")
      }
      values.append(value)
    }
    guard let bytes = CrockfordText.decode(values) else {
      throw FleetError(
        .qrSymbol, "the last character is not one that a label ends with",
        position: symbols.last?.position ?? text.unicodeScalars.count,
        remedy: "compare it with the label")
    }
    guard bytes.count >= 4 else {
      throw FleetError(.qrTruncated, "the text ends too early", remedy: "read all of the label")
    }
    let sum = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard CRC32.checksum(Array(bytes.dropLast(4))) == sum else {
      throw FleetError(
        .qrChecksum, "a part of the text was read or typed wrongly", remedy: "scan the label again")
    }
    try self.init(fields: try GatewayPayload.fields(of: bytes.dropLast(4)))
  }

  /// The symbols behind the prefix, with where they stand in the text.
  private static func symbols(
    of text: String
  ) throws(FleetError) -> [(symbol: Unicode.Scalar, position: Int)] {
    var rest: [(symbol: Unicode.Scalar, position: Int)] = []
    var position = 0
    for scalar in text.unicodeScalars {
      position += 1
      if !scalar.properties.isWhitespace { rest.append((scalar, position)) }
    }
    guard !rest.isEmpty else { throw FleetError(.qrEmpty, "there is nothing in it") }
    let head = String(String.UnicodeScalarView(rest.prefix(16).map(\.symbol))).uppercased()
    guard head.hasPrefix(prefix) else {
      if head.hasPrefix("LUNA1:") {
        throw FleetError(
          .qrTracker, "this is the label of a tracker, not that of a gateway",
          remedy: "scan the gateway's label; for a tracker, \(.onboarding)")
      }
      if head.hasPrefix("LUNAG"), let colon = head.firstIndex(of: ":") {
        let version = head[..<colon].dropFirst("LUNAG".count)
        if !version.isEmpty, version.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
          throw .newerLabel
        }
      }
      throw FleetError(
        .qrNotLuna, "this is no label of Luna's", remedy: "scan the label on the gateway")
    }
    rest.removeFirst(prefix.unicodeScalars.count)
    rest.removeAll { $0.symbol == "-" }
    guard rest.count + prefix.unicodeScalars.count <= longest else {
      throw FleetError(.qrTooLong, "the text has more than \(longest) characters")
    }
    return rest
  }

  private typealias Field = (tag: UInt8, value: ArraySlice<UInt8>)

  private static func fields(of bytes: ArraySlice<UInt8>) throws(FleetError) -> [Field] {
    var fields: [Field] = []
    var rest = bytes
    while let tag = rest.popFirst() {
      guard let length = rest.popFirst(), rest.count >= Int(length) else {
        throw FleetError(.qrTruncated, "a field of the label ends too early")
      }
      fields.append((tag, rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return fields
  }

  private init(fields: [Field]) throws(FleetError) {
    if fields.contains(where: { $0.tag < 0x80 && PayloadTag(rawValue: $0.tag) == nil }) {
      throw .newerLabel
    }
    var values: [PayloadTag: ArraySlice<UInt8>] = [:]
    for field in fields {
      guard let tag = PayloadTag(rawValue: field.tag) else { continue }
      guard values.updateValue(field.value, forKey: tag) == nil else {
        throw FleetError(.qrTwice, "the label says \(tag.field) twice", field: tag.field)
      }
    }
    var payload = GatewayPayload(print: .zero)
    // In the order of the label: the first one that is wrong is told.
    for field in fields {
      guard let tag = PayloadTag(rawValue: field.tag) else { continue }
      try payload.set(tag, Array(field.value))
    }
    guard values[.print] != nil else {
      throw FleetError(.qrMissing, "the label has no print", field: PayloadTag.print.field)
    }
    self = payload
  }

  private mutating func set(_ tag: PayloadTag, _ value: [UInt8]) throws(FleetError) {
    switch tag {
    case .print:
      guard let print = GatewayPrint(value) else { throw .badValue(tag) }
      self.print = print
    case .name: name = try GatewayPayload.text(value, tag)
    case .site: site = try GatewayPayload.text(value, tag)
    case .manufacturer: manufacturer = try GatewayPayload.text(value, tag)
    case .model: model = try GatewayPayload.text(value, tag)
    case .mac:
      guard value.count == 6 else { throw .badValue(tag) }
      mac = value
    case .ip:
      guard value.count == 4 || value.count == 16 else { throw .badValue(tag) }
      ip = value
    case .place:
      guard value.count == 8 else { throw .badValue(tag) }
      let numbers = [value.prefix(4), value.suffix(4)].map { bytes in
        Int32(bitPattern: bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      }
      guard let position = PayloadPosition(latitude: numbers[0], longitude: numbers[1]) else {
        throw .badValue(tag)
      }
      self.position = position
    }
  }

  private static func text(_ bytes: [UInt8], _ tag: PayloadTag) throws(FleetError) -> String {
    guard (1...longestText).contains(bytes.count),
      let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: FieldText.isUnsafe),
      // As it would be taken from somebody who types it.
      let line = try? FieldText.line(text, limit: longestText)
    else { throw .badValue(tag) }
    return line
  }
}

extension FleetError {
  fileprivate static let newerLabel = FleetError(
    .qrVersion, "the label was made for another version of Luna", remedy: "use a newer version")

  fileprivate static func badValue(_ tag: PayloadTag) -> FleetError {
    FleetError(.qrValue, "what the label says of \(tag.field) cannot be", field: tag.field)
  }
}
