/// A link of a controller. Handles are used again, so each link has a number of its own besides.
package struct LinkID: Hashable, Sendable {
  /// The handle that HCI knows it by.
  package let handle: UInt16
  /// Different for every link of a controller.
  package let serial: Int
}
