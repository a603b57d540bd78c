package import Bluetooth

/// UTC, whose clocks are never put forward or back.
package struct UTCZone: CivilZone {
  package let name = "UTC"

  package init() {}

  package func offset(at moment: Timestamp) -> Int64 { 0 }
}
