extension CommandDescription {
  /// Whether something nearer to the user decides an option, by naming it or one that it excludes.
  func decides(_ option: String, in taken: [Occurrence]) -> Bool {
    taken.contains { occurrence in
      occurrence.option == option
        || exclusive.contains { $0.contains(option) && $0.contains(occurrence.option) }
    }
  }
}
