package import LunaClient

/// Takes shipments to where they go.
package protocol Courier: Sendable {
  /// Hands a shipment over.
  ///
  /// - Parameters:
  ///   - now: µs since 1970.
  ///   - willSend: is to be called before anything of it may arrive, beside the threads of tasks: it may block.
  func deliver(
    _ shipment: Shipment, at now: Int64, willSend: @escaping @Sendable () -> Void
  ) async -> DeliveryOutcome
}
