import LunaTelemetry

try await withTelemetry("door", logAppearances: true) {
  let context = TelemetryContext.current
  try context.beginTimedOperation(operation: "closing", duplicates: .unique)
  print(context.path, context.finishTimedOperation(operation: "closing") != nil)
}
