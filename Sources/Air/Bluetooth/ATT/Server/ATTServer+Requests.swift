extension ATTServer {
  /// Answers a request, at once or after the owner was asked.
  mutating func answer(_ pdu: ATTPDU, _ actions: inout [ATTServerAction]) {
    switch pdu {
    case .exchangeMTURequest(let wanted):
      mtu = min(max(Int(wanted), ATTPDU.defaultMTU), largestMTU)
      send(.exchangeMTUResponse(UInt16(largestMTU)), &actions)
      actions.append(.mtu(mtu))
    case .findInformationRequest(let range): findInformation(range, &actions)
    case .findByTypeValueRequest(let range, let type, let value):
      findByTypeValue(range, .bit16(type), value, &actions)
    case .readByTypeRequest(let range, let type): readByType(range, type.shortest, &actions)
    case .readByGroupTypeRequest(let range, let type):
      readByGroupType(range, type.shortest, &actions)
    case .readRequest(let handle): read(handle, from: 0, pdu.opcode, &actions)
    case .readBlobRequest(let handle, let offset):
      read(handle, from: Int(offset), pdu.opcode, &actions)
    case .writeRequest(let attribute): write(attribute, &actions)
    case .prepareWriteRequest(let part): prepare(part, &actions)
    case .executeWriteRequest(let isWanted): execute(isWanted, &actions)
    default: refuse(pdu.opcode, 0, .requestNotSupported, &actions)
    }
  }

  /// Vol 3, Part F, 3.4.3.1.
  private func findInformation(_ range: ATTHandleRange, _ actions: inout [ATTServerAction]) {
    let request = ATTOpcode.findInformationRequest
    guard range.isValid else { return refuse(request, range.first, .invalidHandle, &actions) }
    let types = database.handles(in: range).compactMap { handle in
      database[handle].map { ATTAttributeType(handle: handle, type: $0.type) }
    }
    guard let width = types.first?.type.attributeOctets.count else {
      return refuse(request, range.first, .attributeNotFound, &actions)
    }
    // opcode, format; each entry has a handle of 2 bytes
    let fitting = types.prefix { $0.type.attributeOctets.count == width }
      .prefix((mtu - 2) / (2 + width))
    send(.findInformationResponse(Array(fitting)), &actions)
  }

  /// Vol 3, Part F, 3.4.3.3. Values that the owner would have to be asked for are not looked at.
  private func findByTypeValue(
    _ range: ATTHandleRange, _ type: BluetoothUUID, _ value: [UInt8],
    _ actions: inout [ATTServerAction]
  ) {
    let request = ATTOpcode.findByTypeValueRequest
    guard range.isValid else { return refuse(request, range.first, .invalidHandle, &actions) }
    let wanted = BluetoothUUID(littleEndian: value.span, at: 0, width: value.count)?.shortest
    let found = database.handles(in: range).compactMap { handle -> ATTHandleRange? in
      guard let attribute = database[handle], attribute.type == type,
        case .constant(let constant) = attribute.content
      else { return nil }
      // A service may be asked for by its UUID in either width.
      let isSame =
        type == ATTDatabase.primaryService && wanted != nil
        ? BluetoothUUID(littleEndian: constant.span, at: 0, width: constant.count)?.shortest
          == wanted : constant == value
      return isSame ? ATTHandleRange(handle, attribute.groupEnd) : nil
    }
    guard !found.isEmpty else {
      return refuse(request, range.first, .attributeNotFound, &actions)
    }
    send(.findByTypeValueResponse(Array(found.prefix((mtu - 1) / 4))), &actions)
  }

  /// Vol 3, Part F, 3.4.4.9.
  private func readByGroupType(
    _ range: ATTHandleRange, _ type: BluetoothUUID, _ actions: inout [ATTServerAction]
  ) {
    let request = ATTOpcode.readByGroupTypeRequest
    guard range.isValid else { return refuse(request, range.first, .invalidHandle, &actions) }
    guard [ATTDatabase.primaryService, ATTDatabase.secondaryService].contains(type) else {
      return refuse(request, range.first, .unsupportedGroupType, &actions)
    }
    let groups = database.handles(in: range).compactMap { handle -> ATTAttributeGroup? in
      guard let attribute = database[handle], attribute.type == type,
        case .constant(let value) = attribute.content
      else { return nil }
      return ATTAttributeGroup(
        handles: ATTHandleRange(handle, attribute.groupEnd), value: value)
    }
    guard let width = groups.first?.value.count else {
      return refuse(request, range.first, .attributeNotFound, &actions)
    }
    // opcode, length; each entry has two handles of 2 bytes
    let fitting = groups.prefix { $0.value.count == width }.prefix((mtu - 2) / (4 + width))
    send(.readByGroupTypeResponse(Array(fitting)), &actions)
  }

  /// Vol 3, Part F, 3.4.4.1. A value that the owner has to be asked for is answered alone.
  private mutating func readByType(
    _ range: ATTHandleRange, _ type: BluetoothUUID, _ actions: inout [ATTServerAction]
  ) {
    let request = ATTOpcode.readByTypeRequest
    guard range.isValid else { return refuse(request, range.first, .invalidHandle, &actions) }
    let handles = database.handles(in: range).filter { database[$0]?.type.shortest == type }
    guard let first = handles.first else {
      return refuse(request, range.first, .attributeNotFound, &actions)
    }
    guard let width = constant(of: first)?.count else {
      return read(first, from: 0, request, &actions)
    }
    let entries = handles.map { ($0, constant(of: $0)) }.prefix { $0.1?.count == width }
      .map { handle, value in
        ATTAttributeValue(handle: handle, value: Array((value ?? []).prefix(longestEntry)))
      }
    // opcode, length; each entry has a handle of 2 bytes
    let count = max(1, (mtu - 2) / (2 + min(width, longestEntry)))
    send(.readByTypeResponse(Array(entries.prefix(count))), &actions)
  }

  /// The longest value in a Read By Type Response: the length of an entry is one byte.
  private var longestEntry: Int { min(mtu - 4, 253) }

  /// Vol 3, Part F, 3.4.4.3 and 3.4.4.5.
  private mutating func read(
    _ handle: UInt16, from offset: Int, _ request: ATTOpcode,
    _ actions: inout [ATTServerAction]
  ) {
    guard let attribute = database[handle] else {
      return refuse(request, handle, .invalidHandle, &actions)
    }
    if let value = constant(of: handle) {
      guard offset <= value.count else {
        return refuse(request, handle, .invalidOffset, &actions)
      }
      return give(Array(value[offset...]), of: handle, for: request, &actions)
    }
    guard case .value(let number) = attribute.content,
      database.characteristics[number].properties.contains(.read)
    else { return refuse(request, handle, .readNotPermitted, &actions) }
    outstanding = .read(request, handle: handle)
    actions.append(.read(database.characteristics[number].uuid, offset: offset))
  }

  /// A value that is known here; nil for what the owner knows or nobody may read.
  private func constant(of handle: UInt16) -> [UInt8]? {
    switch database[handle]?.content {
    case .constant(let value): value
    case .value(let number): database.characteristics[number].constant
    case .configuration(let number): subscriptions[number] ? [2, 0] : [0, 0]
    case nil: nil
    }
  }

  func give(
    _ value: [UInt8], of handle: UInt16, for request: ATTOpcode,
    _ actions: inout [ATTServerAction]
  ) {
    switch request {
    case .readByTypeRequest:
      let entry = ATTAttributeValue(handle: handle, value: Array(value.prefix(longestEntry)))
      send(.readByTypeResponse([entry]), &actions)
    case .readBlobRequest: send(.readBlobResponse(Array(value.prefix(mtu - 1))), &actions)
    default: send(.readResponse(Array(value.prefix(mtu - 1))), &actions)
    }
  }

  /// Vol 3, Part F, 3.4.5.1.
  private mutating func write(
    _ attribute: ATTAttributeValue, _ actions: inout [ATTServerAction]
  ) {
    if let error = obstacle(to: attribute.handle) {
      return refuse(.writeRequest, attribute.handle, error, &actions)
    }
    guard attribute.value.count <= longestValue else {
      return refuse(
        .writeRequest, attribute.handle, .invalidAttributeValueLength, &actions)
    }
    switch database[attribute.handle]?.content {
    case .configuration(let number):
      if let error = configure(number, attribute.value) {
        refuse(.writeRequest, attribute.handle, error, &actions)
      } else {
        send(.writeResponse, &actions)
      }
    case .value(let number):
      outstanding = .write(handle: attribute.handle)
      actions.append(.write(database.characteristics[number].uuid, attribute.value))
    case .constant, nil: break
    }
  }

  /// Why an attribute cannot be written.
  private func obstacle(to handle: UInt16) -> ATTErrorCode? {
    switch database[handle]?.content {
    case nil: .invalidHandle
    case .constant: .writeNotPermitted
    case .value(let number):
      database.characteristics[number].properties.contains(.write) ? nil : .writeNotPermitted
    case .configuration: nil
    }
  }

  /// Vol 3, Part G, 3.3.3.3: bit 0 notifications, which there are none of, bit 1 indications.
  private mutating func configure(_ number: Int, _ value: [UInt8]) -> ATTErrorCode? {
    switch value {
    case [0, 0]: subscriptions[number] = false
    case [2, 0]: subscriptions[number] = true
    case _ where value.count != 2: return .invalidAttributeValueLength
    default: return .cccdImproperlyConfigured
    }
    return nil
  }

  /// Vol 3, Part F, 3.4.6.1.
  private mutating func prepare(_ part: ATTPreparedWrite, _ actions: inout [ATTServerAction]) {
    if let error = obstacle(to: part.handle) {
      refuse(.prepareWriteRequest, part.handle, error, &actions)
    } else if prepared.add(part) {
      send(.prepareWriteResponse(part), &actions)
    } else {
      refuse(.prepareWriteRequest, part.handle, .prepareQueueFull, &actions)
    }
  }

  /// Vol 3, Part F, 3.4.6.3.
  private mutating func execute(_ isWanted: Bool, _ actions: inout [ATTServerAction]) {
    let values = prepared.values()
    prepared.clear()
    guard isWanted else { return send(.executeWriteResponse, &actions) }
    switch values {
    case .success(let values): execute(values, &actions)
    case .failure(let failure):
      refuse(.executeWriteRequest, failure.handle, failure.error, &actions)
    }
  }

  /// Writes one value after the other; the owner is asked about each before the next.
  mutating func execute(
    _ values: [(handle: UInt16, value: [UInt8])], _ actions: inout [ATTServerAction]
  ) {
    for (index, (handle, value)) in values.enumerated() {
      switch database[handle]?.content {
      case .configuration(let number):
        if let error = configure(number, value) {
          return refuse(.executeWriteRequest, handle, error, &actions)
        }
      case .value(let number):
        outstanding = .execute(handle: handle, rest: Array(values[(index + 1)...]))
        return actions.append(.write(database.characteristics[number].uuid, value))
      case .constant, nil: break
      }
    }
    send(.executeWriteResponse, &actions)
  }
}
