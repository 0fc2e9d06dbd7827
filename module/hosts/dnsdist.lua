-- SPDX-License-Identifier: BSD-3-Clause
-- The policy in dnsdist 1.7 or later, in front of any resolver. In dnsdist.conf, before every other rule and newPacketCache, and after
-- the function `maintenance`, if that is defined:
--
--     dofile('/usr/share/unbound-idn/dnsdist.lua') {}
--
-- See doc/hosts.md. `question` decides each query before dnsdist looks into its packet cache. `answer` decides each answer of a
-- backend before it is cached. `given` sends the policy's answer that `question` made. Every answer in the packet cache was decided
-- with its aliases, no rule matched these, and the answer is the same for all clients; a swap of the policy empties the cache. So
-- `hit` only reports: every cached answer, or only those that `question` has tagged if idn.conf asks for no other lines. Each
-- function has a Lua state for each thread, so none holds a lock. The states share the handle.
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)') or './'

local COMMON = [[
local idnpolicy = (function(...) %s end)()
local library, idnp = idnpolicy.open(%s, %s)
local decide, decide_message, send_report = library.idnp_decide, library.idnp_decide_message, library.idnp_report
local NONE, DROP, SERVFAIL, cleared = %d, %d, %d, ffi.cast('const uint64_t *', %.0f)
local FORMERR, NOTIMP = 1, 4
local TAG, ASKS = 'idn', 'idn-structured' -- ASKS marks a query whose client asks for structured errors
local OPCODE = 'idn-opcode' -- marks a message that is not an ordinary query
local STRUCTURED = 4 -- a flag of an exchange
local SUBNET, SUBNET_CODE, SUBNET_MAX = 'idn-subnet', 8, 20 -- the tag of the option in which a forwarder names its client (RFC 7871)
local option = ffi.new('const dnsdist_ffi_ednsoption_t *[1]')

local decision = library.idnp_decision_new()
assert(decision ~= nil, 'idn: no memory')
local question = ffi.new('struct idnp_question')
question.size, question.flags = ffi.sizeof(question), 1 -- UDP, also for a query over TCP: decide_message decides that again
local reply, message = ffi.new('uint8_t[65535]'), ffi.new('struct idnp_exchange')
message.size, message.reply, message.reply_cap = ffi.sizeof(message), reply, 65535
local line = ffi.new('struct idnp_reply')
line.size = ffi.sizeof(line)
local address, subnet = ffi.new('const void *[1]'), ffi.new('uint8_t[?]', SUBNET_MAX)
local wants_subnet = library.idnp_wants_subnet(idnp) == 1
local known = idnpolicy.pointers('dnsdist_ffi_dnsquestion_t *')

-- Sets the EDNS Client Subnet option that `note_subnet` has found in the query.
local function set_subnet(of, dq)
  local tag = C.dnsdist_ffi_dnsquestion_get_tag(dq, SUBNET)
  local text = tag ~= nil and ffi.string(tag) or ''
  for i = 1, #text / 2 do
    subnet[i - 1] = tonumber(text:sub(2 * i - 1, 2 * i), 16)
  end
  of.subnet, of.subnet_len = #text > 0 and subnet or nil, #text / 2
end

-- Sets the client's address. Behind a proxy that speaks the PROXY protocol, that is the client that the proxy names.
local function set_client(of, dq)
  C.dnsdist_ffi_dnsquestion_get_remoteaddr(dq, address, size)
  of.address_len = size[0]
  ffi.copy(of.address, address[0], size[0])
  if wants_subnet then
    set_subnet(of, dq)
  end
end

local function decide_question(dq)
  set_client(question, dq)
  C.dnsdist_ffi_dnsquestion_get_qname_raw(dq, name, size)
  question.qname, question.qname_len = ffi.cast('const uint8_t *', name[0]), size[0]
  question.qtype, question.qclass = C.dnsdist_ffi_dnsquestion_get_qtype(dq), C.dnsdist_ffi_dnsquestion_get_qclass(dq)
  return decide(idnp, question, decision)
end

local function transport(dq)
  return C.dnsdist_ffi_dnsquestion_get_tcp(dq) and 0 or 1
end

local function send(dq, from, len)
  C.dnsdist_ffi_dnsquestion_set_size(dq, len)
  ffi.copy(C.dnsdist_ffi_dnsquestion_get_header(dq), from, len)
end

-- Reports a reply for the log. `message` is the reply, of `len` octets, or nil if it is not known yet.
local function report(dq, rcode, cached, of, message, len)
  C.dnsdist_ffi_dnsquestion_get_qname_raw(dq, name, size)
  line.qname, line.qname_len = ffi.cast('const uint8_t *', name[0]), size[0]
  line.qtype, line.qclass = C.dnsdist_ffi_dnsquestion_get_qtype(dq), C.dnsdist_ffi_dnsquestion_get_qclass(dq)
  local sent = header(dq)
  line.id, line.port = sent[0] * 256 + sent[1], C.dnsdist_ffi_dnsquestion_get_remote_port(dq)
  line.rcode, line.cached = rcode, cached
  line.message, line.message_len = message, len or 0
  line.transport = C.dnsdist_ffi_dnsquestion_get_tcp(dq) and 1 or 0
  set_client(line, dq)
  send_report(idnp, line, of)
end
]]

-- The first code of each state. `start` makes a function of the code that follows, at the first call. If that fails, dnsdist logs
-- the error, the client gets SERVFAIL, and the next call tries again. (Without this, dnsdist would never call the function again, and
-- would send answers that were not decided.)
local PRELUDE = [[
local ffi, bit = require 'ffi', require 'bit'
local C = ffi.C
local name, size = ffi.new('const char *[1]'), ffi.new('size_t[1]')
local start, act

local function header(dq)
  return ffi.cast('uint8_t *', C.dnsdist_ffi_dnsquestion_get_header(dq))
end

-- Turns an answer into SERVFAIL and removes all but its question, if it has one.
local function fail(dq)
  local answer = header(dq)
  C.dnsdist_ffi_dnsquestion_get_qname_raw(dq, name, size)
  local whole = 16 + tonumber(size[0])
  local has_question = answer[4] + answer[5] > 0 and C.dnsdist_ffi_dnsquestion_get_size(dq) >= whole
  answer[2], answer[3] = bit.bor(bit.band(answer[2], 0x79), 128), bit.bor(bit.band(answer[3], 16), 130)
  ffi.fill(answer + 4, 8)
  answer[5] = has_question and 1 or 0
  C.dnsdist_ffi_dnsquestion_set_size(dq, has_question and whole or 12)
  C.dnsdist_ffi_dnsquestion_set_skip_cache(dq, true)
end

local function run(dq)
  act = act or start()
  return act(dq)
end

-- dnsdist would send an answer's records with its SERVFAIL.
local function guarded(dq)
  local done, result = pcall(run, dq)
  if not done then
    fail(ffi.cast('dnsdist_ffi_dnsquestion_t *', dq))
    error(result, 0)
  end
  return result
end
]]

-- `given` sends the answer that `question` makes, because between the two dnsdist adds its own OPT record to a reply without records.
-- The tag holds the answer itself, so that it always belongs to this query. dnsdist cuts a tag at its first octet 0.
local QUESTION = [[
-- Tags the query if it has the option of structured errors: a backend's answer does not show that.
local function note_option(dq)
  for i = 0, tonumber(C.dnsdist_ffi_dnsquestion_get_edns_options(dq, option)) - 1 do
    if option[0][i].optionCode == decision.structured_code then
      C.dnsdist_ffi_dnsquestion_set_tag(dq, ASKS, '')
    end
  end
end

-- Keeps the option in which a forwarder names its client, as hexadecimal digits. A longer one is malformed.
local function note_subnet(dq)
  local text = ''
  for i = 0, tonumber(C.dnsdist_ffi_dnsquestion_get_edns_options(dq, option)) - 1 do
    local found = option[0][i]
    if found.optionCode == SUBNET_CODE and found.len <= SUBNET_MAX and text == '' then
      text = ffi.string(found.data, found.len):gsub('.', function(octet) return ('%02x'):format(octet:byte()) end)
    end
  end
  if text ~= '' or C.dnsdist_ffi_dnsquestion_get_tag(dq, SUBNET) ~= nil then
    C.dnsdist_ffi_dnsquestion_set_tag(dq, SUBNET, text)
  end
end

local function leave(dq)
  if decision.structured_code ~= 0 then
    note_option(dq)
  end
  if decision.report ~= 0 and (TAGS_IDN or decision.matched ~= 0) then
    C.dnsdist_ffi_dnsquestion_set_tag(dq, TAG, '')
  end
  return NONE
end

return function(dq)
  dq = known[dq]
  if C.dnsdist_ffi_dnsquestion_get_tag(dq, TAG) ~= nil then -- set by another rule, or by this query before a restart
    C.dnsdist_ffi_dnsquestion_set_tag(dq, TAG, '')
  end
  if bit.band(header(dq)[2], 0x78) ~= 0 then
    C.dnsdist_ffi_dnsquestion_set_tag(dq, OPCODE, '')
  end
  if wants_subnet then
    note_subnet(dq)
  end
  local decided = decide_question(dq)
  -- A cache may still hold an answer that an earlier policy allowed. A client-specific answer is neither read from it nor stored.
  if decision.generation ~= cleared[0] or decision.client_specific ~= 0 then
    C.dnsdist_ffi_dnsquestion_set_skip_cache(dq, true)
  end
  if decided == 0 then
    return leave(dq)
  end
  local asked = header(dq)
  message.flags = transport(dq)
  set_client(message, dq)
  message.query, message.query_len = asked, C.dnsdist_ffi_dnsquestion_get_size(dq)
  local result = decide_message(idnp, message, decision)
  if result == 0 then -- tcp-only, over TCP
    return leave(dq)
  end
  if result == -2 then -- another opcode, two questions, a newer EDNS: no backend is asked
    C.dnsdist_ffi_dnsquestion_set_rcode(dq, bit.band(asked[2], 0x78) ~= 0 and NOTIMP or FORMERR)
    return HEADER_MODIFY
  end
  if result == 3 then
    report(dq, -1, 0, decision)
    return DROP
  end
  if result < 0 then
    return SERVFAIL
  end
  local rcode = bit.band(reply[3], 15)
  report(dq, rcode, 0, decision, reply, message.reply_len)
  C.dnsdist_ffi_dnsquestion_set_tag(dq, TAG, (ffi.string(reply, message.reply_len):gsub('[%z\1]', { ['\0'] = '\1\1', ['\1'] = '\1\2' })))
  C.dnsdist_ffi_dnsquestion_set_rcode(dq, rcode)
  return HEADER_MODIFY
end
]]

local ANSWER = [[
return function(dq)
  dq = known[dq]
  local answer, len = header(dq), tonumber(C.dnsdist_ffi_dnsquestion_get_size(dq))
  local qtype = C.dnsdist_ffi_dnsquestion_get_qtype(dq)
  local first = answer[2] -- with the opcode
  local is_query = bit.band(first, 0x78) == 0 or C.dnsdist_ffi_dnsquestion_get_tag(dq, OPCODE) == nil
  if is_query and (qtype == 251 or qtype == 252) then
    return NONE -- a zone transfer
  end
  message.flags = transport(dq) + (C.dnsdist_ffi_dnsquestion_get_tag(dq, ASKS) ~= nil and STRUCTURED or 0)
  set_client(message, dq)
  message.answer, message.answer_len = answer, len
  -- A client might read records that we cannot. One additional record may be OPT.
  local has_records = answer[6] + answer[7] + answer[8] + answer[9] + answer[10] > 0 or answer[11] > 1
  if not is_query then
    answer[2] = bit.band(first, 0x87)
    local is_left = not has_records or decide_message(idnp, message, decision) == 0 and message.reply_len == 0
    answer[2] = first
    if not is_left then
      fail(dq)
    end
    return NONE
  end
  local result = decide_message(idnp, message, decision)
  if result == 3 then
    report(dq, -1, 0, decision)
    return DROP
  end
  if result < 0 and (result ~= -2 or has_records or bit.band(answer[2], 0x78) ~= 0) then -- or no memory
    fail(dq)
  end
  local is_changed = message.reply_len > 0
  if is_changed then
    send(dq, reply, message.reply_len)
  end
  if is_changed or decision.target_count > 0 or decision.client_specific ~= 0 then
    C.dnsdist_ffi_dnsquestion_set_skip_cache(dq, true)
  end
  report(dq, bit.band(header(dq)[3], 15), CACHED, decision, header(dq), tonumber(C.dnsdist_ffi_dnsquestion_get_size(dq)))
  return NONE
end
]]

local HIT = [[
return function(dq)
  dq = known[dq]
  local of = nil
  if C.dnsdist_ffi_dnsquestion_get_tag(dq, TAG) ~= nil then
    decide_question(dq)
    of = decision
  end
  report(dq, bit.band(header(dq)[3], 15), 1, of, header(dq), tonumber(C.dnsdist_ffi_dnsquestion_get_size(dq)))
  return NONE
end
]]

local GIVEN = [[
return function(dq)
  local tag = C.dnsdist_ffi_dnsquestion_get_tag(known[dq], TAG)
  local octets = tag ~= nil and ffi.string(tag):gsub('\1(.)', { ['\1'] = '\0', ['\2'] = '\1' }) or ''
  if #octets < 12 or octets:sub(1, 2) ~= ffi.string(header(known[dq]), 2) then -- no tag, or one that a rule of dnsdist set
    return answer(dq)
  end
  send(known[dq], octets, #octets)
  return NONE
end
]]

-- The packet caches: the one that the configuration has made already, and those that it makes later.
local caches, make = { getPool(''):getCache() }, newPacketCache
function newPacketCache(...) -- luacheck: ignore
  caches[#caches + 1] = make(...)
  return caches[#caches]
end

-- Empties these packet caches and, except in dnsdist 1.7, which does not list pools, those of all pools.
local function clear()
  for _, cache in ipairs(caches) do
    cache:expunge(0)
  end
  for _, name in ipairs(getPoolNames and getPoolNames() or {}) do
    local cache = getPool(name):getCache()
    if cache then
      cache:expunge(0)
    end
  end
end

-- Returns whether there is a packet cache that this script does not know: dnsdist 1.7 then counts more hits or misses than the known
-- caches do.
local function is_one_unknown()
  if getPoolNames then
    return false
  end
  local all = getStatisticsCounters()
  local hits, misses = all['cache-hits'], all['cache-misses']
  for _, cache in ipairs(caches) do
    local counts = cache:getStats()
    hits = hits - (counts.hits or 0)
    misses = misses - (counts.misses or 0) - (counts.deferredLookups or 0) - (counts.lookupCollisions or 0)
  end
  return hits > 0 or misses > 0
end

-- Options: `config`, the path of idn.conf (/etc/dnsdist/idn.conf); `library`, the path of libidnpolicy.so.1. Raises an error if the
-- policy cannot be opened.
return function(options)
  if inClientStartup() then -- dnsdist -c
    return
  end
  local library_path, config = options.library, options.config or '/etc/dnsdist/idn.conf'
  local ffi = require 'ffi'
  local file = assert(io.open(folder .. 'idnpolicy.lua'))
  local source = file:read('*a')
  file:close()
  local idnpolicy = loadstring(source)()
  local library, idnp = idnpolicy.open(library_path, config)

  -- If a reply for the root is to be reported, so is every reply; otherwise only those that a rule matched or that have an A-label.
  local root, decision = ffi.new('uint8_t[1]'), library.idnp_decision_new()
  assert(decision ~= nil, 'idn: no policy: no memory')
  local question = ffi.new('struct idnp_question', { ffi.sizeof('struct idnp_question'), 0, root, 1, 1, 1 })
  library.idnp_decide(idnp, question, decision)
  local tells_all = decision.report == 1
  library.idnp_decision_free(decision)

  -- The generation of the policy that decided the cached answers. `caches`, which newPacketCache refers to, keeps it alive.
  local cleared = ffi.new('uint64_t[1]', library.idnp_generation(idnp))
  caches.cleared = cleared

  local function quote(text)
    return text and ('%q'):format(text) or 'nil'
  end
  local function code(actions, of, called, cached)
    return PRELUDE .. 'function start()\n' ..
           COMMON:format(source, quote(library_path), quote(config), actions.None, actions.Drop, actions.ServFail,
                         tonumber(ffi.cast('uintptr_t', cleared))) ..
           ('local HEADER_MODIFY, TAGS_IDN, CACHED = %d, %s, %d\n'):format(DNSAction.HeaderModify, not tells_all, cached or 0) .. of ..
           '\nend\nreturn ' .. called
  end
  local function to_answer(of, cached)
    return LuaFFIPerThreadResponseAction(code(DNSResponseAction, of, 'guarded', cached))
  end

  addAction(AllRule(), LuaFFIPerThreadAction(code(DNSAction, QUESTION, 'run')))
  addResponseAction(AllRule(), to_answer(ANSWER))
  addCacheHitResponseAction(tells_all and AllRule() or TagRule('idn'), to_answer(HIT), { name = 'idn' })
  addSelfAnsweredResponseAction(AllRule(), to_answer('local answer = (function() ' .. ANSWER .. ' end)()\n' .. GIVEN))

  -- An answer that was decided before a swap may enter a cache after it, so all caches are emptied again a second later. Until then,
  -- `question` makes every query skip the cache.
  local generation, clearings, seconds, before = cleared[0], 0, 0, maintenance
  local function clear_after_swap()
    local now = library.idnp_generation(idnp)
    if now ~= generation then
      generation, clearings = now, 2
    end
    if clearings > 0 then
      clearings = clearings - 1
      clear()
      if clearings == 0 then
        cleared[0] = now
      end
    end
    return clearings > 0
  end

  -- Answers from a cache that cannot be emptied are decided each time.
  local decides_hits = false
  local function decide_hits()
    rmCacheHitResponseRule('idn')
    addCacheHitResponseAction(AllRule(), to_answer(ANSWER, 1), { name = 'idn' })
    mvCacheHitResponseRuleToTop()
    warnlog('idn: a packet cache was made before dnsdist.lua was read: cached answers cost more; put its line before newPacketCache')
    decides_hits = true
  end

  local say = { errlog, warnlog, infolog, infolog }
  function maintenance() -- luacheck: ignore
    local is_clearing = clear_after_swap()
    seconds = seconds + 1
    if not decides_hits and (is_clearing or seconds % 10 == 2) and is_one_unknown() then
      decide_hits()
    end
    idnpolicy.write_messages(library, idnp, say)
    if before then
      before()
    end
  end
end
