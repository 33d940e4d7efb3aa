/** One mistake in a copy of the project: `find` stands in the file once. */
export type Mutant = {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The shipped scenario that must fail with it. */
  readonly caughtBy: string
}
