import LunaCore

extension CommandFailure {
  /// What the store says.
  init(store error: DeviceStoreError) {
    let code: ExitCode =
      switch error.kind {
      case .denied, .locked: .noPermission
      case .busy: .busy
      case .unknownDevice: .notFound
      case .damaged, .newer, .full, .exhausted, .failed: .unreadableInput
      }
    self.init(code, error.reason, hint: error.hint)
  }
}
