import Bluetooth

extension Check {
  /// The error codes are those of the Core Specification, Vol 3, Part F, 3.4.1.1.
  static let refusals = [
    Check("says that reading is not permitted") { stage in
      let error = try await expectError(.refused) { _ = try await stage.read(.deaf) }
      try expect(error.attributeError, is: 0x02, "the error code")
      try expect(error.operation, is: "read", "the operation")
    },
    Check("says that writing is not permitted") { stage in
      let error = try await expectError(.refused) { try await stage.write([1], to: .short) }
      try expect(error.attributeError, is: 0x03, "the error code")
      try expect(error.operation, is: "write", "the operation")
    },
    Check("passes on the error codes of the peer") { stage in
      let read = try await expectError(.refused) { _ = try await stage.read(.refusing) }
      try expect(read.attributeError, is: 0x80, "the error code of the read")
      let write = try await expectError(.refused) { try await stage.write([1], to: .refusing) }
      try expect(write.attributeError, is: 0x81, "the error code of the write")
    },
    Check("does not pair") { stage in
      // Linux tries nevertheless; when the peer refuses, the connection ends, and bluetoothd does
      // not tell why.
      let kinds: [GATTError.Kind] = stage.usesDaemon ? [.refused, .abortedByPeer] : [.refused]
      let error = try await expectError(kinds) { _ = try await stage.read(.secret) }
      if stage.usesDaemon { return await stage.disconnect() }
      let codes: [UInt8?] = [0x05, 0x0C, 0x0F]
      try expect(codes.contains(error.attributeError), "\(error), \(error.attributeError ?? 0)")
    },
    Check("works on after refusals") { stage in
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
    },
  ]
}
