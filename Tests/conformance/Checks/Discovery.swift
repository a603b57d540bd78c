import Bluetooth

extension Check {
  static let discovery = [
    Check("finds every characteristic with its properties") { stage in
      let all = try await stage.connection().characteristics
      for name in PeerContract.Name.allCases {
        guard let wanted = PeerContract.properties[name] else { continue }
        let found = all.filter { $0.uuid == name.uuid }
        try expect(found.count, is: 1, "the number of characteristics \(name)")
        try expect(found[0].properties, is: wanted, "the properties of \(name)")
        try expect(found[0].service, is: PeerContract.service, "the service of \(name)")
      }
      let handles = all.map(\.handle)
      try expect(handles, is: Set(handles).sorted(), "the order of the handles")
    },
    Check("finds a service with a 16-bit UUID") { stage in
      let connection = try await stage.connection()
      let power = try await connection.characteristic(
        PeerContract.power, of: PeerContract.powerService)
      try expect(try await connection.read(power), is: [4], "the transmission power")
    },
    Check("says what is not there") { stage in
      let connection = try await stage.connection()
      let absent = BluetoothUUID.bit16(0xFFF1)
      try await expectError(.notFound, within: .milliseconds(100)) {
        _ = try await connection.characteristic(absent, of: PeerContract.service)
      }
      try await expectError(.notFound, within: .milliseconds(100)) {
        _ = try await connection.characteristic(PeerContract.power, of: absent)
      }
    },
    Check("agrees on a large MTU") { stage in
      let mtu = try await stage.connection().mtu
      try expect(mtu.map { $0 > 100 && $0 <= 517 } ?? true, "the MTU is \(mtu ?? 0)")
    },
  ]
}
