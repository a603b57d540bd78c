/// A place in a value of type `Root`, such as `\.count`: where an option's value goes.
public typealias Field<Root, Value> = any WritableKeyPath<Root, Value> & Sendable
