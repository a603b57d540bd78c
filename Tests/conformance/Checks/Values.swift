import Bluetooth

extension Check {
  static let values = [
    Check("reads a short value") { stage in
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
    },
    Check("reads a value of 512 octets") { stage in
      try expect(try await stage.read(.long), is: PeerContract.longValue, "the value")
    },
    Check("reads an answer that comes late") { stage in
      try expect(try await stage.read(.late), is: Array("late".utf8), "the value")
    },
    Check("writes values of every length around the limits of a PDU") { stage in
      let mtu = try await stage.connection().mtu ?? 23
      for length in Set([0, 1, 19, 20, 21, 22, 23, mtu - 4, mtu - 3, mtu - 2, mtu - 1, mtu, 512])
      where length <= 512 {
        let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
        try await stage.write(value, to: .store)
        try expect(try await stage.read(.store), is: value, "the value of \(length) octets")
      }
    },
    Check("writes without response") { stage in
      try await stage.write([1, 2, 3, 4, 5], to: .deaf)
      try expect(try await stage.state().deafLength, is: 5, "the length that arrived")
      try await stage.write([UInt8](repeating: 9, count: 20), to: .deaf, .withoutResponse)
      // Nobody says when it has arrived.
      for _ in 0..<20 * patience {
        if try await stage.state().deafLength == 20 { break }
        try await Task.sleep(for: .milliseconds(50))
      }
      try expect(try await stage.state().deafLength, is: 20, "the length that arrived")
    },
    Check("refuses a value that does not fit when there is no response") { stage in
      let mtu = try await stage.connection().mtu ?? 517
      try await expectError(.refused) {
        try await stage.write([UInt8](repeating: 0, count: mtu), to: .deaf, .withoutResponse)
      }
    },
    Check("carries out simultaneous operations one after the other") { stage in
      _ = try await stage.connection()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            let value = try await stage.read(.long)
            try expect(value, is: PeerContract.longValue, "the value")
          }
          group.addTask {
            try await stage.write([UInt8](repeating: 7, count: 300), to: .store)
          }
        }
        try await group.waitForAll()
      }
    },
  ]
}
