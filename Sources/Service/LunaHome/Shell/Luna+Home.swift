public import Luna

extension Luna {
  /// A home: rules that act when something happens to one's trackers, with the radio, the devices and
  /// the backend of this one. It does nothing before its `start()`.
  public func home(_ settings: HomeSettings) -> LunaHome { LunaHome(self, settings) }
}
