extension HomeKeys {
  /// Where a secret is.
  static let secret = Shape.one([
    Key("env", .text(.filled), "A variable of the environment."),
    Key("file", .text(.filled), "A file that only its owner may read."),
    Key("credential", .text(.filled), "A credential of systemd's."),
  ])
}
