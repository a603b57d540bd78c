extension HomeConfiguration {
  /// What a file says, with the time zones of this machine. It reads them from the disk.
  public static func ofThisMachine(_ file: HomeFile) -> HomeConfiguration {
    HomeConfiguration(file, systemZone: SystemZone.current) { SystemZone.read($0) }
  }
}
