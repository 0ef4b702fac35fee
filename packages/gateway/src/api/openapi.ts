import { z } from 'zod';
import { fieldsOf } from '../json/values.ts';
import { EXPORT_PATH, ROUTES, type Route } from './routes.ts';
import { compactQuery, failure, health, nothing } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const VERSION = '1.0.0';

/** The OpenAPI 3.1 document of the gateway's own paths, made from what the handlers are checked by. */
export function openApiDocument(): Json {
  const schemas: Record<string, unknown> = {};
  const refTo = (schema: z.ZodType): Json => reference(schema, schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operationOf(route, refTo);
    paths[route.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Epitome gateway',
      version: VERSION,
      description: 'Conversations that went through the gateway: their trees, views and compactions. Times are UTC.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: { ...paths, ...ownPaths(refTo) },
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
}

function reference(schema: z.ZodType, schemas: Record<string, unknown>): Json {
  const name = schema.meta()?.id;
  const {
    $schema: _,
    $defs: definitions = {},
    id: _id,
    ...made
  } = withoutIds(z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' }));
  for (const [key, value] of Object.entries(fieldsOf(definitions))) schemas[key] ??= value;
  if (name === undefined) return made;
  // A schema with a name of its own comes as a reference to the definition beside it.
  schemas[name] = fieldsOf(definitions)[name] ?? made;
  return { $ref: `#/components/schemas/${name}` };
}

// Definitions move from the schema's own list to that of the document.
function withoutIds(schema: object): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const made: unknown = JSON.parse(text, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  return fieldsOf(made);
}

function operationOf(route: Route, refTo: (schema: z.ZodType) => Json): Json {
  const { name, summary, scope, query, body, answer, path } = route;
  return {
    operationId: name,
    summary,
    description: `Scope: ${scope}.`,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === nothing ? {} : { requestBody: { required: true, content: jsonOf(inputOf(body)) } }),
    responses: { 200: { description: 'As asked.', content: jsonOf(refTo(answer)) }, ...failures(refTo) },
  };
}

function failures(refTo: (schema: z.ZodType) => Json, content = jsonOf(refTo(failure))): Json {
  return {
    400: { description: 'Something in the request is not as it should be.', content },
    401: { description: 'The key is missing or not valid.', content },
    403: { description: 'The key lacks a scope, or the request comes from a page of another origin.', content },
    404: { description: 'There is no such thing, or it is not yours.', content },
    405: { description: 'The path does not take this method; `allow` names those it takes.', content },
    408: { description: 'The body did not arrive in time.', content },
    409: { description: 'It cannot be done in this state.', content },
    413: { description: 'The body is too large.', content },
    415: { description: 'The body is of a type or an encoding that is not taken.', content },
    417: { description: 'The header `expect` asks for something else than `100-continue`.', content },
    429: { description: 'A budget is used up, or there are too many connections; see `retry-after`.', content },
    500: { description: 'The gateway failed; its log says where.', content },
    503: { description: 'The store does not answer now.', content },
    507: { description: 'The store is full, or cannot be written.', content },
  };
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: Route['query']): readonly Json[] {
  const { properties, required } = inputOf(query);
  return Object.entries(fieldsOf(properties)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema,
  }));
}

function inputOf(schema: z.ZodType): Json {
  const { $schema: _, ...made } = fieldsOf(z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }));
  return made;
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}

function ownPaths(refTo: (schema: z.ZodType) => Json): Json {
  const probe = (operationId: string, summary: string): Json => ({
    get: {
      operationId,
      summary,
      security: [],
      responses: {
        200: { description: 'Yes.', content: jsonOf(refTo(health)) },
        503: { description: 'No.', content: jsonOf(refTo(health)) },
      },
    },
  });
  const text = (operationId: string, summary: string, type: string): Json => ({
    operationId,
    summary,
    responses: {
      200: { description: 'As asked.', content: { [type]: { schema: { type: 'string' } } } },
      ...failures(refTo),
    },
  });
  return {
    [EXPORT_PATH]: {
      get: {
        ...text(
          'exportConversation',
          'A conversation as lines of JSON, which `epitome store import` reads.',
          'application/x-ndjson',
        ),
        parameters: pathParameters(EXPORT_PATH),
      },
    },
    [COMPACT_PATH]: { post: compactOperation(refTo) },
    '/healthz': probe('isAlive', 'Whether the process answers.'),
    '/readyz': probe('isReady', 'Whether requests can be served: the store answers.'),
    '/metrics': { get: text('getMetrics', 'Figures in the text format of Prometheus. Scope: admin.', 'text/plain') },
  };
}

const COMPACT_PATH = '/compact';

/** A request of any dialect in, the same request with fewer messages out. */
function compactOperation(refTo: (schema: z.ZodType) => Json): Json {
  const content = jsonOf({ type: 'object', description: 'A request as the provider of the dialect takes it.' });
  const told = (description: string): Json => ({ description, schema: { type: 'string' } });
  const ofDialect = { type: 'object', description: 'With `dialect`: an error as its provider tells them.' };
  return {
    operationId: 'compact',
    summary: 'The request with fewer messages and everything else as it was; no upstream is called.',
    description: 'Scope: proxy.',
    parameters: queryParameters(compactQuery),
    requestBody: { required: true, content },
    responses: {
      200: {
        description: 'The request; as it came where nothing was to be done.',
        content,
        headers: {
          'x-epitome-status': told('`compacted`, `kept`, `planned` by a dry run or `passed`, and the reason.'),
          'x-epitome-tokens-before': told('Estimated tokens of the request as it came.'),
          'x-epitome-tokens-after': told('Estimated tokens of the request as it is.'),
          'x-epitome-record': told('The compaction, where there was one.'),
          'x-epitome-net-cost': told('What it costs over the calls that are expected, in dollars.'),
        },
      },
      ...failures(refTo, jsonOf({ anyOf: [refTo(failure), ofDialect] })),
    },
  };
}
