import LunaCore

// What classes of devices make of trackers.

extension LunaHome {
  /// Makes the devices of the file's classes.
  func makeClassed() {
    classed = [:]
    unclassed = unclassed.filter { id, _ in
      loaded?.configuration.trackers.contains { $0.id == id } == true
    }
    guard !settings.classes.isEmpty, let configuration = loaded?.configuration else { return }
    for entry in configuration.trackers {
      guard let model = configuration.models.first(where: { $0.name == entry.model }),
        let type = settings.classes[model.className]
      else { continue }
      let known = HomeModel(
        name: model.name, className: model.className, properties: model.propertyNames)
      classed[entry.id] = type.init(known, tracker(entry))
    }
  }

  /// Inputs as the classes of their trackers see them.
  func asClassesSay(_ inputs: [HomeInput]) -> [HomeInput] {
    guard !classed.isEmpty else { return inputs }
    return inputs.map { input in
      guard case .value(let tracker, let property, let value) = input, let device = classed[tracker]
      else { return input }
      unclassed[tracker, default: [:]][property] = value
      guard let other = device.value(of: property, value), takes(other, property, tracker) else {
        return input
      }
      return .value(tracker: tracker, property: property, other)
    }
  }

  /// The values that classes have for properties of their own, after something was heard of their trackers.
  func valuesOfClasses(after inputs: [HomeInput], _ state: HomeState) -> [HomeInput] {
    guard !classed.isEmpty else { return [] }
    var (values, asked) = ([HomeInput](), Set<String>())
    for input in inputs {
      guard let id = input.tracker, asked.insert(id).inserted else { continue }
      values += valuesOfClass(of: id, state)
    }
    return values
  }

  private func valuesOfClass(of id: String, _ state: HomeState) -> [HomeInput] {
    guard let device = classed[id],
      let entry = loaded?.configuration.trackers.first(where: { $0.id == id })
    else { return [] }
    return entry.propertyNames.compactMap { name in
      guard entry.property(name).canBeSet else { return nil }
      guard let value = device.value(of: name, unclassed[id]?[name]),
        value != state.trackers[id]?.properties[name]?.value, takes(value, name, id)
      else { return nil }
      return .value(tracker: id, property: name, value)
    }
  }

  /// Asks the classes of some trackers what has become of them.
  func askClasses(of ids: some Sequence<String>) {
    guard let state = engine?.state else { return }
    take(ids.flatMap { valuesOfClass(of: $0, state) })
  }

  /// Has the class of a tracker do something.
  ///
  /// - Returns: whether it is done; false where the home is to do it.
  func isDoneByClass(
    _ action: String, _ value: PropertyValue?, _ id: String
  ) async throws(HomeError) -> Bool {
    guard let device = classed[id] else { return false }
    let isDone = try await device.perform(action, value)
    if isDone { askClasses(of: [id]) }
    return isDone
  }

  /// Whether a property can have the value that a class has for it; what is built in can be anything.
  private func takes(_ value: PropertyValue, _ name: String, _ id: String) -> Bool {
    let property = loaded?.configuration.trackers.first { $0.id == id }?.property(name)
    let isFine = property.map { $0.isBuiltIn || $0.takes(value) } ?? false
    if !isFine {
      logger.log(.ERROR, "the class of \(id) has \(value.json) for \(name), which cannot be")
    }
    return isFine
  }
}

extension HomeInput {
  /// The tracker that it says something of; nil for none.
  var tracker: String? {
    switch self {
    case .frame(let tracker, _, _), .value(let tracker, _, _): tracker
    case .fix(let tracker, _): tracker
    default: nil
    }
  }
}
