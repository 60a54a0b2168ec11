// cudart_faults.cpp: calls that fail on purpose, so that a host's answer to them can be tested.
//
// PTXSIM_FAIL is a list of KIND:N separated by commas: the Nth call of that kind fails; with KIND:N+ so do all after it.
#include "cudart_runtime.hpp"
#include <cstdlib>
#include <sstream>

namespace ptxsim::shim
{
namespace
{
struct Plan {
    const char *name;
    unsigned long long at = 0, count = 0; // at: 0 for never
    bool onwards = false;
};
struct Plans {
    Plan of[4] = {{"malloc"}, {"host"}, {"launch"}, {"device-lost"}}; // in the order of Fault

    Plans()
    {
        const char *text = getenv("PTXSIM_FAIL");
        std::stringstream list(text ? text : "");
        for (std::string item; getline(list, item, ',');) {
            if (!read(item)) {
                rt().api_error("PTXSIM_FAIL: '" + item + "' is not malloc:N, host:N, launch:N or device-lost:N");
            }
        }
    }
    bool read(const std::string &item)
    {
        size_t colon = item.find(':');
        for (Plan &plan : of) {
            if (colon == std::string::npos || item.substr(0, colon) != plan.name) {
                continue;
            }
            char *end;
            plan.at = strtoull(item.c_str() + colon + 1, &end, 10);
            plan.onwards = *end == '+';
            return plan.at && !end[plan.onwards];
        }
        return false;
    }
};
} // namespace

bool fault_due(Fault kind)
{
    static Plans plans;
    Plan &plan = plans.of[(int)kind];
    plan.count++;
    return plan.at && (plan.count == plan.at || (plan.onwards && plan.count > plan.at));
}

void lose_device()
{
    rt().sticky = cudaErrorUnknown; // what drivers say of a card that has fallen off its bus
}
} // namespace ptxsim::shim
