-- SPDX-License-Identifier: BSD-3-Clause
-- The policy in Knot Resolver 5 and 6, as a module: kres_modules/idn.lua, with idnpolicy.lua beside it. In kresd.conf, after the
-- rules that say where to forward, or in the `lua` section of Knot Resolver 6's YAML:
--
--     modules = { idn = {} }
--
-- Options: `config`, the path of idn.conf (/etc/knot-resolver/idn.conf); `library`, the path of libidnpolicy.so.1. See doc/hosts.md
-- for limitations.
--
-- Knot Resolver caches records, not answers, and builds each answer from them. So each answer is decided: the question when it
-- arrives (begin), the aliases when they are found (consume, answer_finalize). Requests may wait for the same server, but each has
-- its own answer, so a decision for one client never reaches another.
local ffi = require('ffi')
local kres = require('kres')
local C = ffi.C

local idnpolicy = require('kres_modules.idnpolicy')

local LEAVE, ANSWER, TRUNCATE, DROP = 0, 1, 2, 3
local UDP, TCP, DOT, DOH = 0, 1, 2, 3 -- transports; as a flag of a question, UDP is 1
local CHAIN_MAX = 32
local SUBNET = 8 -- the code of the EDNS option in which a forwarder names its client (RFC 7871)
local MESSAGES_EVERY = 200 -- ms
local FROM_A = 2 -- a flag of a question, too
local OF_AUTHORITY = { [2] = true, [6] = true, [43] = true, [47] = true, [50] = true } -- NS, SOA, DS, NSEC, NSEC3
local A, AAAA, CNAME, DNAME, RRSIG = kres.type.A, kres.type.AAAA, kres.type.CNAME, kres.type.DNAME, kres.type.RRSIG

local FORKED = {} -- the error for two aliases of one name; any server can cause it

local M = { layer = {} }
local library, idn, timer, wants_subnet
local free = {} -- decisions that no request uses
local question = ffi.new('struct idnp_question', { size = ffi.sizeof('struct idnp_question') })
local reply = ffi.new('struct idnp_reply', { size = ffi.sizeof('struct idnp_reply') })
local chain = ffi.new('struct idnp_record[?]', CHAIN_MAX)

-- ---- opening ----------------------------------------------------------------------------------------------------

local function to_log(log)
	return function(line) log(C.LOG_GRP_MODULE, '%s', line) end
end

local say = { to_log(log_error), to_log(log_warn), to_log(log_notice), to_log(log_notice) }
local function write_messages()
	idnpolicy.write_messages(library, idn, say)
end

function M.config(conf)
	conf = conf or {}
	library, idn = idnpolicy.open(conf.library, conf.config or '/etc/knot-resolver/idn.conf')
	wants_subnet = library.idnp_wants_subnet(idn) == 1
	timer = event.recurrent(MESSAGES_EVERY, write_messages)
end

-- `modules.load('idn')` does not call `config`. If the policy is not open once the configuration has been read, it is opened with the
-- default options.
function M.init()
	event.after(0, function()
		if idn then return end
		local opened, why = pcall(M.config)
		if not opened then
			io.stderr:write(why, '\n')
			os.exit(1)
		end
	end)
end

function M.deinit()
	if timer then event.cancel(timer) end
	if idn then
		write_messages()
		for _, decision in ipairs(free) do library.idnp_decision_free(decision) end
		library.idnp_close(idn)
	end
	idn, timer, free = nil, nil, {}
end

-- ---- deciding ---------------------------------------------------------------------------------------------------

-- Returns whether the request is a client's and has a question. The policy does not apply to the resolver's own lookups.
local function is_from_client(req)
	return idn ~= nil and req.qsource.addr ~= nil and req.qsource.packet.qname_size > 0
end

local function transport(req)
	local flags = req.qsource.flags
	return flags.http and DOH or flags.tls and DOT or flags.tcp and TCP or UDP
end

-- Returns a pointer to the data of the query's EDNS option with this code, and its length; nil: no such option.
local function find_option(req, code)
	local opt = req.qsource.packet.opt_rr
	if opt == nil or opt:rdcount() == 0 then return nil end
	local rdata = opt:rdata_pt(0)
	local octets, at, len = rdata.data, 0, tonumber(rdata.len)
	while at + 4 <= len do
		local size = octets[at + 2] * 256 + octets[at + 3]
		if at + 4 + size > len then return nil end
		if octets[at] * 256 + octets[at + 1] == code then return octets + at + 4, size end
		at = at + 4 + size
	end
	return nil
end

-- Sets the option in which a forwarder names its client.
local function set_subnet(of, req)
	if not wants_subnet then return end
	local data, len = find_option(req, SUBNET)
	of.subnet, of.subnet_len = data, len or 0
end

local function ask(req)
	local packet = req.qsource.packet
	question.flags = transport(req) == UDP and 1 or 0
	question.qname = packet.wire + 12
	question.qname_len = packet.qname_size
	question.qtype, question.qclass = packet:qtype(), packet:qclass()
	question.address_len = C.kr_inaddr_len(req.qsource.addr)
	ffi.copy(question.address, C.kr_inaddr(req.qsource.addr), question.address_len)
	set_subnet(question, req)
end

local function take()
	local decision = table.remove(free) or library.idnp_decision_new()
	if decision == nil then error('no memory', 0) end
	return decision
end

local function check(result)
	if result < LEAVE then error(('nothing decided (%d)'):format(result), 0) end
end

local function add(count, rr)
	local rdata = rr:rdata_pt(0)
	local record = chain[count]
	record.owner, record.owner_len = rr._owner, C.knot_dname_size(rr._owner)
	record.rdata, record.rdata_len = rdata.data, rdata.len
	record.ttl, record.type, record.rclass = rr._ttl, rr.type, rr.rclass
	return count + 1, rdata.data
end

-- Writes the alias chain of the question to `chain`, in its order, and returns its length. Raises FORKED for two aliases of one name,
-- because a client may follow either.
local function find_chain(req)
	local at, selected, count = req:initial().sname, req.answ_selected, 0
	while count < CHAIN_MAX - 1 do
		local alias, dname
		for i = 0, tonumber(selected.len) - 1 do
			local rr = selected.at[i].rr
			if rr.type == CNAME and C.knot_dname_is_equal(rr._owner, at) then
				if rr:rdcount() > 1 or alias and not C.knot_dname_is_equal(alias:rdata_pt(0).data, rr:rdata_pt(0).data) then
					error(FORKED, 0)
				end
				alias = rr
			elseif rr.type == DNAME and C.knot_dname_in_bailiwick(at, rr._owner) > 0 then
				dname = rr
			end
		end
		if not alias then return count end
		if dname then count = add(count, dname) end
		count, at = add(count, alias)
	end
	return count
end

-- Returns whether the module dns64 has looked up A records to make the AAAA records of this answer.
local function is_made_of_a(req)
	if req.qsource.packet:qtype() ~= AAAA then return false end
	local selected = req.answ_selected
	for i = 0, tonumber(selected.len) - 1 do
		if selected.at[i].rr.type == A then return true end
	end
	return false
end

-- Decides a request whose aliases are known. An earlier decision is kept, unless dns64 has looked up A records since.
local function decide_chain(req)
	local vars = req:vars()
	local from_a = not vars.idn_from_a and is_made_of_a(req)
	if not vars.idn or from_a and vars.idn.result == LEAVE then
		vars.idn = vars.idn or take()
		ask(req)
		if from_a then
			vars.idn_from_a, question.flags = true, question.flags + FROM_A
		end
		check(library.idnp_decide_answer(idn, question, chain, find_chain(req), vars.idn))
		vars.idn_answers = vars.idn.result > LEAVE
	end
	return vars.idn
end

-- ---- answering --------------------------------------------------------------------------------------------------

local function set_ede(req, decision)
	local option = tonumber(decision.structured_code)
	local asks = option > 0 and find_option(req, option) ~= nil
	local size = asks and math.max(512, tonumber(req.qsource.packet.opt_rr.rclass))
	local code, text = idnpolicy.error_of(decision, asks, transport(req) == UDP and size or nil, req.qsource.packet.qname_size)
	if code >= 0 then
		req:set_extended_error(code, text)
	end
end

-- Removes all records from the answer. Returns the answer, or nil if there is no memory for it.
local function empty(req)
	req.answ_selected.len, req.auth_selected.len, req.add_selected.len = 0, 0, 0
	local answer = req:ensure_answer()
	if answer == nil then return nil end
	local opt = answer.opt_rr -- it holds the extended error, which another module has added
	answer:clear_payload()
	answer.opt_rr = opt
	answer:ad(false)
	return answer
end

-- Replaces the answer by the decision's.
local function write(req, decision)
	local answer = empty(req)
	if answer == nil then return end
	if decision.result == TRUNCATE then
		answer:tc(true)
		return
	end
	answer:rcode(decision.rcode)
	set_ede(req, decision)
	for i = 0, decision.record_count - 1 do
		local record = decision.records[i]
		answer:begin(record.section == 2 and kres.section.AUTHORITY or kres.section.ANSWER)
		C.kr_pkt_put(answer, record.owner, record.ttl, record.rclass, record.type, record.rdata, record.rdata_len)
	end
end

-- Makes the decision's aliases the answer so far; the caller has their target looked up.
local function follow(req, qry, decision)
	req.answ_selected.len, req.auth_selected.len = 0, 0
	for i = 0, decision.record_count - 1 do
		local record = decision.records[i]
		local rr = ffi.gc(kres.rrset(nil, record.type, record.rclass, record.ttl), nil)
		rr._owner = C.knot_dname_copy(record.owner, req.pool)
		C.knot_rrset_add_rdata(rr, record.rdata, record.rdata_len, req.pool)
		C.kr_ranked_rrarray_add(req.answ_selected, rr, C.KR_RANK_INSECURE, true, qry.uid, req.pool)
	end
	C.kr_ranked_rrarray_finalize(req.answ_selected, qry.uid, req.pool)
end

-- Returns the type of the records; of RRSIG records, the type that they cover, or RRSIG if they cover several.
local function type_of(rr)
	local type = rr.type
	for i = 0, rr.type == RRSIG and rr:rdcount() - 1 or -1 do
		local data = rr:rdata_pt(i).data
		local covered = data[0] * 256 + data[1]
		if i > 0 and covered ~= type then return RRSIG end
		type = covered
	end
	return type
end

-- Returns whether the records belong to one of the first `count` aliases of the chain: they have its target, or are a DNAME of it.
local function is_of_chain(rr, count)
	for i = 0, count - 1 do
		local alias = chain[i]
		if alias.type == CNAME and C.knot_dname_is_equal(alias.rdata, rr._owner) or
			alias.type == DNAME and type_of(rr) == DNAME and C.knot_dname_is_equal(alias.owner, rr._owner) then return true end
	end
	return false
end

-- Removes a record whose owner is a refused name.
local function take_out(req, entry, decision)
	ask(req)
	question.qname, question.qname_len = entry.rr._owner, C.knot_dname_size(entry.rr._owner)
	question.qtype = entry.rr.type
	if library.idnp_decide(idn, question, decision) ~= LEAVE then entry.to_wire = false end
end

-- Removes records of refused names from the authority section, where a server may put any type. If `leaves`, the policy does not
-- change the answer: then also removes them from the answer section, where Knot Resolver 6 keeps records to which no alias leads.
local function sift(req, leaves)
	local selected, name, decision, count = req.auth_selected, req:initial().sname, nil, nil
	for i = 0, tonumber(selected.len) - 1 do
		local entry = selected.at[i]
		if not OF_AUTHORITY[type_of(entry.rr)] then
			decision = decision or take()
			take_out(req, entry, decision)
		end
	end
	selected = req.answ_selected
	for i = 0, leaves and tonumber(selected.len) - 1 or -1 do
		local entry = selected.at[i]
		if not C.knot_dname_is_equal(entry.rr._owner, name) then
			count = count or find_chain(req)
			if not is_of_chain(entry.rr, count) then
				decision = decision or take()
				take_out(req, entry, decision)
			end
		end
	end
	if decision then table.insert(free, decision) end
end

-- Returns a hook that calls `decide` for a client's request. If that raises an error, the client gets SERVFAIL and no record.
local function guarded(decide)
	return function(state, req)
		if not is_from_client(req) then return state end
		local vars = req:vars()
		local done, result = not vars.idn_failed, kres.FAIL
		if done then done, result = pcall(decide, state, req) end
		if done then return result end
		if not vars.idn_failed then
			vars.idn_failed = true
			local log = result == FORKED and log_debug or log_error
			log(C.LOG_GRP_MODULE, 'idn: SERVFAIL: %s', result == FORKED and 'two aliases of one name' or tostring(result))
		end
		local answer = empty(req)
		if answer ~= nil then answer:rcode(kres.rcode.SERVFAIL) end
		return kres.FAIL
	end
end

-- Returns the state in which the request ends without a reply.
local function drop(req)
	req.options.NO_ANSWER = true
	return kres.FAIL
end

M.layer.begin = guarded(function(state, req)
	local vars = req:vars()
	if bit.band(state, bit.bor(kres.FAIL, kres.DONE)) ~= 0 then
		vars.idn_others = true -- a rule of the resolver's own has answered
		return state
	end
	local decision = take()
	ask(req)
	local result = library.idnp_decide(idn, question, decision)
	if result <= LEAVE then
		table.insert(free, decision)
		check(result)
		return state
	end
	vars.idn = decision
	if decision.result == DROP then
		return drop(req)
	elseif decision.follow ~= nil then
		local qry = req:initial()
		set_ede(req, decision)
		follow(req, qry, decision)
		qry.sname = C.knot_dname_copy(decision.follow, req.pool)
		return state
	end
	write(req, decision)
	return kres.DONE
end)

M.layer.consume = guarded(function(state, req)
	if state == kres.FAIL then return state end
	local qry = req:current()
	if not qry.flags.RESOLVED or qry.flags.CNAME or qry.parent ~= nil or req:vars().idn then return state end
	local decision = decide_chain(req)
	if decision.result == ANSWER then set_ede(req, decision) end -- Knot Resolver writes it before our answer_finalize
	if decision.result == ANSWER and decision.follow ~= nil then
		req:vars().idn_answers = false
		follow(req, qry, decision)
		local flags = kres.mk_qflags({})
		flags.DNSSEC_WANT, flags.AWAIT_CUT = qry.flags.DNSSEC_WANT, true
		flags.STUB, flags.FORWARD = qry.flags.STUB, qry.flags.FORWARD
		req:push(decision.follow, qry.stype, qry.sclass, flags, nil)
	end
	return state
end)

M.layer.answer_finalize = guarded(function(state, req)
	if not req:vars().idn_others then
		local decision = decide_chain(req)
		if decision.result == DROP then return drop(req) end -- in consume, the resolver would try again
		if req:vars().idn_answers then write(req, decision) else sift(req, decision.result == LEAVE) end
	end
	return state
end)

-- Returns the result of validation by the library's numbers: secure, bogus, or 0 for unknown. Knot Resolver does not report insecure.
local function security(req)
	if C.kr_rank_test(req.rank, C.KR_RANK_SECURE) then return 4 end
	local last = req:last()
	return last ~= nil and last.flags.DNSSEC_BOGUS and 1 or 0
end

function M.layer.finish(state, req)
	if not is_from_client(req) then return state end
	local vars, packet, answer = req:vars(), req.qsource.packet, req.answer
	local decision = vars.idn
	reply.qname, reply.qname_len = packet.wire + 12, packet.qname_size
	reply.qtype, reply.qclass, reply.id = packet:qtype(), packet:qclass(), packet:id()
	reply.rcode = answer ~= nil and not req.options.NO_ANSWER and answer:rcode() or -1
	reply.message, reply.message_len = answer ~= nil and answer.wire or nil, answer ~= nil and answer.size or 0
	reply.transport = transport(req)
	reply.security = security(req)
	reply.cached = req:all_from_cache() and #req.answ_selected > 0 and 1 or 0
	reply.address_len = C.kr_inaddr_len(req.qsource.addr)
	ffi.copy(reply.address, C.kr_inaddr(req.qsource.addr), reply.address_len)
	set_subnet(reply, req)
	reply.port = C.kr_inaddr_port(req.qsource.addr)
	local first = req:initial()
	reply.elapsed_us = first and (C.kr_now() - first.creation_time_mono) * 1000 or 0
	library.idnp_report(idn, reply, decision)
	if decision then
		vars.idn = nil
		table.insert(free, decision)
	end
	return state
end

return M
