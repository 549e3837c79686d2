#pragma once
namespace cooperative_groups { using namespace cl_groups; }
