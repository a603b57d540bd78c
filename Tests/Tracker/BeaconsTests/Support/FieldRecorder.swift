import Beacons
import Bluetooth

/// Writes fields as `name=value` texts.
struct FieldRecorder: BeaconFieldWriter {
  var fields: [String] = []

  mutating func word(_ name: StaticString, _ value: StaticString) {
    fields.append("\(name)=\(value)")
  }

  mutating func string(_ name: StaticString, _ value: String) { fields.append("\(name)=\(value)") }

  mutating func hex(_ name: StaticString, _ value: Span<UInt8>) {
    fields.append("\(name)=" + value.indices.map { Hex.lower(value[$0]) }.joined())
  }

  mutating func integer(_ name: StaticString, _ value: Int) { fields.append("\(name)=\(value)") }

  mutating func decimal(_ name: StaticString, _ value: Int, digits: Int) {
    var number = Double(value)
    for _ in 0..<digits { number /= 10 }
    fields.append("\(name)=\(number)")
  }

  mutating func boolean(_ name: StaticString, _ value: Bool) { fields.append("\(name)=\(value)") }

  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID) {
    fields.append("\(name)=\(value)")
  }
}

extension Beacon {
  /// The fields as texts.
  var fields: [String] {
    var recorder = FieldRecorder()
    write(to: &recorder)
    return recorder.fields
  }
}
