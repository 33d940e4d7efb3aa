import { isOrigin, LONGEST_IDENTIFIER, type Profile, profileSettings, type Rule } from './profile.ts'
import { choice, flag, list, nameText, object, partial, refined, type Schema, text, typed, whole } from './schema.ts'

export const originText = refined(text('An origin such as https://shop.example.'), isOrigin, { code: 'origin' })

const schemaOf = (rule: Rule, description: string): Schema => {
  switch (rule.kind) {
    case 'choice':
      return choice(rule.values, description)
    case 'set':
      return list(choice(rule.values), { description, minItems: rule.atLeast, uniqueItems: true })
    case 'flag':
      return flag(description)
    case 'number':
      return whole(description, { minimum: rule.min, maximum: rule.max })
    case 'origins':
      return list(originText, description)
    case 'identifiers':
      return list(nameText(LONGEST_IDENTIFIER), { description, maxItems: rule.most })
  }
}

const settings = Object.entries(profileSettings).map(([key, { rule, sentence }]) => [key, schemaOf(rule, sentence)])

export const profilePart = typed<Partial<Profile>>(
  partial(Object.fromEntries(settings), { description: 'Settings by key.' }),
)

export const wholeProfile = typed<Profile>(object(Object.fromEntries(settings)))
